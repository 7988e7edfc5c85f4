// `nodrift`: the command line.

import { perform } from "./main-thread.js";

process.exitCode = await perform(process.argv.slice(2));
