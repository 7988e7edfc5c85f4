// The thread that simulates: reads the text of a model, runs it by a method, and tells what it finds as it goes.

import { ModelFileError } from "nodrift/files";
import type { Comparer } from "./comparer.js";
import { judge, methodList } from "./judge.js";
import type { Answer, CompareRequest, Request } from "./protocol.js";
import { Simulator } from "./simulator.js";

const tell = (answer: Answer) => postMessage(answer);
const simulator = new Simulator(tell);
let comparer: Comparer | undefined;

addEventListener("message", ({ data }: MessageEvent<Request>) => {
  void answer(data);
});

async function answer(request: Request): Promise<void> {
  try {
    if (request.kind === "run") await simulator.run(request);
    else if (request.kind === "compare") await compare(request);
    else if (request.kind === "file") tell(await simulator.file(request));
    else tell({ kind: "judged", id: request.id, reasons: judge(request.parts) });
  } catch (error) {
    const { id } = request;
    if (error instanceof ModelFileError) tell({ kind: "problems", id, marks: error.problems });
    else tell({ kind: "refused", id, message: (error as Error).message });
  }
}

async function compare(request: CompareRequest): Promise<void> {
  const { Comparer: Made } = await import("./comparer.js");
  comparer ??= new Made(tell);
  await comparer.run(request);
}

tell({ kind: "ready", methods: methodList() });
