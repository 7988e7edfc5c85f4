// The file that `spawn` starts as a worker.

import { serve } from "./serve.js";

serve();
