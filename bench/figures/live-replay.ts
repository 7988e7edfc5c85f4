import { spawnSync } from "node:child_process";
import { pageCall } from "../support/live-page.js";
import { PLAY, play } from "../support/live-play.js";
import { atMost, type Figure } from "./figure.js";

/** Ten minutes with a thousand commands, replayed; and the heap after a million steps. */
export async function* liveReplayFigures(): AsyncGenerator<Figure> {
  const { time, first, again } = await play();
  const differing = first.filter((value, i) => !Object.is(value, again[i])).length;
  const name = `live, ${Math.round(time / 60)} min with ${PLAY.commands} commands replayed`;
  yield atMost(`${name}: numbers that differ`, differing, 0);
  const inPage = await pageCall<Awaited<ReturnType<typeof play>>>("play");
  if (inPage !== undefined) {
    const others = [...inPage.first, ...inPage.again];
    const apart = [...first, ...again].filter((value, i) => !Object.is(value, others[i])).length;
    yield atMost(`${name} in Chromium: numbers that differ from those of Node`, apart, 0);
  }
  yield atMost("live, heap growth over 10^6 advance with setters and grips, bytes", growth(), 1e6);
}

/** A million steps, with a command every hundredth; prints the heap growth in bytes. */
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
