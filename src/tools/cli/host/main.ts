// `nodrift`: the command line.

import { perform } from "./host.js";

process.exitCode = await perform(process.argv.slice(2));
