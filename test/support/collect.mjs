// Run by `node --expose-gc` on the built package: creates and drops arenas, and prints how many were
// collected and by how much the process grew after the first quarter of them, in bytes.

import { ArenaPlan } from "nodrift/kernels";

const ARENAS = 2000;
const SLOTS = 2 ** 17;
let collected = 0;
let touched = 0;
const registry = new FinalizationRegistry(() => {
  collected++;
});

function makeAndDrop() {
  const plan = new ArenaPlan();
  const x = plan.reserve("x", SLOTS);
  const arena = plan.seal();
  touched += arena.floats(x).fill(1).length;
  registry.register(arena, undefined);
}

/** Collects garbage, and lets the registry and the engine's own tasks run. */
async function settle() {
  globalThis.gc();
  await new Promise((resolve) => setTimeout(resolve, 5));
}

let early = 0;
for (let i = 0; i < ARENAS; i++) {
  makeAndDrop();
  if (i % 50 === 49) await settle();
  if (i === ARENAS / 4) early = process.memoryUsage().rss;
}
for (let i = 0; i < 10; i++) await settle();
const growth = process.memoryUsage().rss - early;
console.log(JSON.stringify({ made: ARENAS, touched, collected, growth }));
