// Entry point of the worker that `spawn` starts.

import { serve } from "./serve.js";

serve();
