import { spawnSync } from "node:child_process";
import { compile } from "nodrift/bodies";
import { Player, toy } from "../support/live-play.js";
import { seeded } from "../support/random.js";
import { atMost, type Figure } from "./figure.js";

const STEP = 1 / 240;
/** Ten minutes, and what is done in them. */
const STEPS = 600 * 240;
const COMMANDS = 1000;

/** Ten minutes with a thousand commands, replayed; and the heap after a million steps. */
export async function* liveReplayFigures(): AsyncGenerator<Figure> {
  const system = await compile(toy());
  const live = system.simulate({ step: STEP });
  const recording = live.record({ every: 2400, snapshots: 4 });
  const player = new Player(live, 7);
  const random = seeded(11);
  for (let done = 0, command = 0; command < COMMANDS; command++) {
    const gap = Math.floor((STEPS / COMMANDS) * (1 + random() / 2));
    const count = command === COMMANDS - 1 ? STEPS - done : Math.min(gap, STEPS - done);
    player.act();
    live.advance(count);
    done += count;
  }
  const again = system.simulate({ step: STEP }).replay(structuredClone(recording.stop()));
  const differing = [...live.q, ...live.v].filter(
    (value, i) => !Object.is(value, [...again.q, ...again.v][i]),
  ).length;
  const minutes = Math.round(live.time / 60);
  yield atMost(
    `live, ${minutes} min with ${COMMANDS} commands replayed: numbers that differ`,
    differing,
    0,
  );
  yield atMost("live, heap growth over 10^6 advance with setters and grips, bytes", growth(), 1e6);
}

/** A million steps, each hundredth with something done; prints what they did to the heap, in bytes. */
const MILLION_STEPS = `
  import { compile } from "nodrift/bodies";
  const { Player, toy } = await import(process.argv[1]);
  const simulation = (await compile(toy())).simulate({ step: 1 / 240 });
  const player = new Player(simulation, 5);
  const run = (rounds) => {
    for (let i = 0; i < rounds; i++) {
      player.act();
      for (let k = 0; k < 100; k++) simulation.advance();
    }
  };
  const used = () => {
    for (let i = 0; i < 4; i++) globalThis.gc();
    const { heapUsed, arrayBuffers } = process.memoryUsage();
    return heapUsed + arrayBuffers;
  };
  run(500);
  const before = used();
  run(10_000);
  console.log(JSON.stringify({ growth: used() - before }));
`;

function growth(): number {
  const player = new URL("../support/live-play.js", import.meta.url).href;
  const options = ["--expose-gc", "--input-type=module", "-e", MILLION_STEPS, player];
  const { status, stdout, stderr } = spawnSync(process.execPath, options, { encoding: "utf8" });
  if (status !== 0) throw new Error(`a million steps failed: ${stderr}`);
  return JSON.parse(stdout).growth;
}
