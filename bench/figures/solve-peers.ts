import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { atLeast, atMost, type Figure, reported } from "./figure.js";

const FOLDER = "bench/peers";

/** Results of bench/peers. */
interface PeerFigures {
  readonly doublePendulum: {
    readonly mujocoSeconds: number;
    readonly ratio: number;
    readonly violation: number;
    readonly tried: readonly { readonly name: string; readonly seconds: number }[];
  };
  readonly chain100: readonly {
    readonly peer: string;
    readonly maximalCoordinates: boolean;
    readonly secondsPerStep: number;
    readonly violation: number;
    readonly nodriftSecondsPerStep: number;
    readonly nodriftViolation: number;
  }[];
}

/** Runs these measurements; undefined if the peers, which have a separate folder, are not installed. */
export function peerFigures(...options: readonly string[]): PeerFigures | undefined {
  if (!existsSync(`${FOLDER}/node_modules`)) {
    console.error(`the peers are not installed: npm ci --prefix ${FOLDER}`);
    return undefined;
  }
  const given = [`${FOLDER}/figures.mjs`, ...options];
  const { status, stdout, stderr } = spawnSync(process.execPath, given, { encoding: "utf8" });
  if (status !== 0) throw new Error(`the peers failed: ${stderr}`);
  return JSON.parse(stdout) as PeerFigures;
}

/** Comparison with other engines. */
export async function* solvePeerFigures(): AsyncGenerator<Figure> {
  const found = peerFigures();
  if (!found) {
    yield { figure: "peers are installed", value: 0, target: "1", pass: false };
    return;
  }
  const { doublePendulum, chain100 } = found;
  const name = "double pendulum, error 1e-8 at t = 10";
  yield atLeast(`${name}: times less CPU than MuJoCo RK4`, doublePendulum.ratio, 8);
  for (const { name: own, seconds } of doublePendulum.tried) {
    yield reported(`${name}: the same, ${own}`, doublePendulum.mujocoSeconds / seconds);
  }
  yield atMost(`${name}: joint violation`, doublePendulum.violation, 1e-12);
  for (const each of chain100) {
    const chain = `chain of 100 rods against ${each.peer}`;
    const speed = each.secondsPerStep / each.nodriftSecondsPerStep;
    yield atLeast(`${chain}: times faster per step`, speed, 1);
    if (!each.maximalCoordinates) continue;
    yield atLeast(`${chain}: times less violation`, each.violation / each.nodriftViolation, 1e6);
  }
}
