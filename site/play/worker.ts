// Worker of the playground: reads a model file, runs it with a method, and reports results as they are computed.

import { ModelFileError } from "nodrift/files";
import type { Answer, Request } from "./protocol.js";
import { Simulator } from "./simulator.js";

/** Returns the buffers of a motion, which are sent without a copy. */
function buffersOf(answer: Answer): ArrayBuffer[] {
  if (answer.kind !== "motion") return [];
  const { times, positions, orientations } = answer.scene?.frames ?? {};
  const curves = answer.plots.flatMap(({ series }) => series.flatMap(({ x, y }) => [x, y]));
  const buffers = [times, positions, orientations, ...curves].flatMap((values) =>
    values instanceof Float64Array ? [values.buffer as ArrayBuffer] : [],
  );
  return [...new Set(buffers)];
}

const report = (answer: Answer) => postMessage(answer, { transfer: buffersOf(answer) });
const simulator = new Simulator(report);

addEventListener("message", ({ data }: MessageEvent<Request>) => {
  void answer(data);
});

async function answer(request: Request): Promise<void> {
  const { id } = request;
  try {
    if (request.kind === "run") await simulator.run(request);
    else if (request.kind === "file") {
      report({ kind: "file", id, ...(await simulator.file(request.format)) });
    } else if (request.kind === "compare") {
      const { compareMethods } = await import("./comparer.js");
      await compareMethods(request, simulator.subject, report);
    } else {
      const { judge, methodList } = await import("./methods.js");
      if (request.kind === "methods") report({ kind: "methods", id, methods: methodList() });
      else report({ kind: "judged", id, reasons: judge(request.parts) });
    }
  } catch (error) {
    if (error instanceof ModelFileError) report({ kind: "problems", id, marks: error.problems });
    else report({ kind: "refused", id, message: (error as Error).message });
  }
}
