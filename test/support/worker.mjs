// A worker thread on the built package: takes the module of the main thread and answers with a
// Cholesky factor and with what was compiled here (nothing).

import { parentPort, workerData } from "node:worker_threads";
import { ArenaPlan, checkStatus, choleskySlots, init } from "nodrift/kernels";

let compiled = 0;
const compile = WebAssembly.compile;
WebAssembly.compile = (...given) => {
  compiled++;
  return compile(...given);
};

const module = await init(workerData);
const plan = new ArenaPlan();
const a = plan.reserve("a", 1);
const factor = plan.reserve("factor", choleskySlots(1));
const arena = plan.seal();
arena.floats(a)[0] = 9;
checkStatus("choleskyFactor", arena.kernels.choleskyFactor(1, a.address, 1, factor.address));
parentPort.postMessage({ same: module === workerData, root: arena.floats(factor)[0], compiled });
