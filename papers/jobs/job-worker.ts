// Worker thread or process that runs reproduction jobs one at a time.

import { parentPort } from "node:worker_threads";
import { type JobMessage, jobs } from "./job.js";

const report = (message: JobMessage) =>
  parentPort ? parentPort.postMessage(message) : process.send?.(message);

(parentPort ?? process).on("message", async (name: string) => {
  const began = performance.now();
  try {
    const job = jobs.find(({ of }) => of.name === name);
    if (job?.kind === "table") {
      for await (const entry of job.of.run()) report({ kind: "entry", entry });
    } else if (job?.kind === "drawing") {
      for await (const figure of job.of.run()) report({ kind: "figure", figure });
    }
    report({ kind: "done", seconds: (performance.now() - began) / 1000 });
  } catch (error) {
    report({ kind: "failed", reason: error instanceof Error ? error.message : String(error) });
  }
});
