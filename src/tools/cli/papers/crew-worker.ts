// A thread, or a process, that works on tables and drawings, one after the other, as it is told.

import { parentPort } from "node:worker_threads";
import { type CrewMessage, jobs } from "./job.js";

const report = (message: CrewMessage) =>
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
