// Worker of the playground: reads a model file, runs it with a method, and reports results as they are computed.

import { ModelFileError } from "nodrift/files";
import type { Comparer } from "./comparer.js";
import { judge, methodList } from "./judge.js";
import type { Answer, CompareRequest, Request } from "./protocol.js";
import { Simulator } from "./simulator.js";

/** Returns the buffers of a motion, which are sent without a copy. */
function buffersOf(answer: Answer): ArrayBuffer[] {
  if (answer.kind !== "motion") return [];
  const { times, positions, orientations } = answer.scene?.frames ?? {};
  const lines = answer.plots.flatMap(({ x, curves }) => [x, ...curves.map(({ y }) => y)]);
  const buffers = [times, positions, orientations, ...lines].flatMap((values) =>
    values instanceof Float64Array ? [values.buffer as ArrayBuffer] : [],
  );
  return [...new Set(buffers)];
}

const report = (answer: Answer) => postMessage(answer, { transfer: buffersOf(answer) });
const simulator = new Simulator(report);
let comparer: Comparer | undefined;

addEventListener("message", ({ data }: MessageEvent<Request>) => {
  void answer(data);
});

async function answer(request: Request): Promise<void> {
  try {
    if (request.kind === "run") await simulator.run(request);
    else if (request.kind === "compare") await compare(request);
    else if (request.kind === "file") report(await simulator.file(request));
    else report({ kind: "judged", id: request.id, reasons: judge(request.parts) });
  } catch (error) {
    const { id } = request;
    if (error instanceof ModelFileError) report({ kind: "problems", id, marks: error.problems });
    else report({ kind: "refused", id, message: (error as Error).message });
  }
}

async function compare(request: CompareRequest): Promise<void> {
  const { Comparer: LoadedComparer } = await import("./comparer.js");
  comparer ??= new LoadedComparer(report);
  await comparer.run(request, await simulator.subject(request.text));
}

report({ kind: "ready", methods: methodList() });
