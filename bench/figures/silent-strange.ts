import { spawn } from "node:child_process";
import { type Outcome, wrongCalls } from "../support/calls/index.js";
import { answerTo, strangeRequest } from "../support/strange-requests.js";
import { atMost, type Figure } from "./figure.js";

const CALLS = 20_000;
/** Not the seed of the group "robust": other calls. */
const SEED = 20_261;
const REQUESTS = 2_000;

/** Wrong calls and strange requests to a server. Damaged journals are not measured yet. */
export async function* silentStrangeFigures(): AsyncGenerator<Figure> {
  yield* callFigures();
  yield* requestFigures();
}

async function* callFigures(): AsyncGenerator<Figure> {
  const counts = new Map<Outcome, number>();
  for await (const { outcome } of wrongCalls(CALLS, SEED)) {
    counts.set(outcome, (counts.get(outcome) ?? 0) + 1);
  }
  const name = "20 000 wrong calls (other seed)";
  yield atMost(`${name}: raw errors`, counts.get("raw") ?? 0, 0);
  yield atMost(`${name}: hangs`, counts.get("slow") ?? 0, 0);
}

async function* requestFigures(): AsyncGenerator<Figure> {
  const child = spawn(process.execPath, ["dist/cli.js", "play", "examples/pendulum.json"]);
  try {
    const address = await new Promise<string>((resolve) => {
      child.stdout.once("data", (text) => resolve(String(text).trim()));
    });
    const port = Number(new URL(address).port);
    let hangs = 0;
    let served = 0;
    for (let i = 0; i < REQUESTS; i++) {
      const request = strangeRequest(i, port);
      const status = await answerTo(request, port);
      if (Number.isNaN(status)) hangs++;
      if (request.isForeign && status >= 200 && status < 400) served++;
    }
    const page = await fetch(address).catch(() => undefined);
    const name = "2 000 strange requests to play";
    yield atMost(`${name}: hangs`, hangs, 0);
    yield atMost(`${name}: served to other origins`, served, 0);
    yield atMost(`${name}: crashes`, page?.status === 200 ? 0 : 1, 0);
  } finally {
    child.kill("SIGKILL");
  }
}
