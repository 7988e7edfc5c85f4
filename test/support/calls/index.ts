// All calls of the package, mutated at random, and their outcomes.

import { NodriftError } from "nodrift";
import { judgedWith } from "nodrift/reproduce";
import { seeded } from "../random.js";
import { bodyCalls } from "./bodies.js";
import { type Call, Enough, exported } from "./call.js";
import { campaignCalls } from "./campaign.js";
import { coreCalls } from "./core.js";
import { fileCalls } from "./files.js";
import { formulaCalls } from "./formulas.js";
import { type Mutation, mutate } from "./mutate.js";
import { solveCalls } from "./solve.js";
import { makeWorld, type World } from "./world.js";

/** Every call to mutate. */
export function allCalls(world: World): readonly Call[] {
  return [
    ...coreCalls(world),
    ...bodyCalls(world),
    ...solveCalls(world),
    ...fileCalls(world),
    ...campaignCalls(),
    ...formulaCalls(),
    // Only invalid arguments: an entry takes the run of a table.
    exported("nodrift/reproduce", "judgedWith", judgedWith, () => [
      Symbol("entry"),
      Symbol("value"),
    ]),
  ];
}

/** Outcome of an invalid call. */
export type Outcome = "refused" | "used" | "raw" | "ignored" | "nameless" | "slow";

export interface Trial {
  readonly call: string;
  readonly what: string;
  readonly outcome: Outcome;
  readonly message: string;
}

/** Milliseconds after which a call counts as hanging. */
const TIMEOUT_MS = 10_000;

/** Makes `count` invalid calls, all functions in turn, and returns their outcomes. */
export async function* wrongCalls(count: number, seed: number): AsyncGenerator<Trial> {
  const world = await makeWorld();
  const calls = allCalls(world);
  const random = seeded(seed);
  for (let made = 0, turn = 0; made < count; turn++) {
    const call = calls[turn % calls.length] as Call;
    const mutation = mutate(call.make(), random, call.refusesMore, world.others);
    if (mutation === undefined) continue;
    made++;
    yield await attempt(call, mutation);
  }
}

async function attempt(call: Call, mutation: Mutation): Promise<Trial> {
  const trial = { call: call.name, what: mutation.what };
  const began = performance.now();
  let thrown: unknown;
  let failed = false;
  try {
    await consume(call.run(mutation.given));
  } catch (error) {
    failed = true;
    thrown = error;
  }
  if (performance.now() - began > TIMEOUT_MS) return { ...trial, outcome: "slow", message: "" };
  if (!failed) {
    const passed = call.passesNaN === true && /NaN/.test(mutation.what);
    const outcome = mutation.mustFail && !passed && !call.takesAll ? "ignored" : "used";
    return { ...trial, outcome, message: "" };
  }
  return { ...trial, ...judged(thrown, call, mutation) };
}

/** Promises are awaited and generators run: their exceptions count too. */
async function consume(result: unknown): Promise<void> {
  const value = await result;
  if (typeof value === "object" && value !== null && Symbol.iterator in value && "next" in value) {
    for (const _ of value as Iterable<unknown>);
  }
}

function judged(
  thrown: unknown,
  call: Call,
  { names }: Mutation,
): Pick<Trial, "outcome" | "message"> {
  if (thrown instanceof Enough) return { outcome: "used", message: "" };
  if (!(thrown instanceof NodriftError)) {
    const message = thrown instanceof Error ? `${thrown.name}: ${thrown.message}` : String(thrown);
    return { outcome: "raw", message };
  }
  const { message } = thrown;
  // The message identifies an object of another kind by an invalid key or by its name.
  const isNamed = [...names, ...call.labels, "is not an option", "decay"].some((name) =>
    message.includes(name),
  );
  return { outcome: isNamed ? "refused" : "nameless", message };
}
