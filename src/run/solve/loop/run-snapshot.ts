import {
  finite,
  isRecord,
  listOf,
  needed,
  options,
  optionsOf,
  recordOf,
  rule,
  type Shape,
  text,
} from "../../../base/checking/index.js";
import { NodriftError } from "../../../base/errors.js";
import { checksumOf } from "../../../base/memory/checksum.js";
import type { State } from "../../../interfaces/index.js";
import { switchingOf } from "../../stepping/source.js";
import { isOver, type RunStatus } from "../mode-solver/failure.js";
import { START } from "../setup/setup.js";
import type { Loop } from "./loop.js";

/** The complete state of a run between two steps; made by {@link Run.save}. Plain data: it can be cloned and stored. */
export interface RunSnapshot {
  /** Identity of its system and method. */
  readonly identity: string;
  /** Key of the memory it continues with. */
  readonly solver: string;
  /** The memory of each mode, byte by byte. */
  readonly memory: Readonly<Record<string, Uint8Array<ArrayBuffer>>>;
  /** Counters and controller state outside that memory. */
  readonly numbers: {
    readonly time: number;
    /** The next step, and the last one. */
    readonly next: number;
    readonly last: number;
    readonly stabilityRate: number;
    readonly controller: readonly number[];
    readonly floor: readonly number[];
    readonly tally: readonly number[];
    readonly watch: readonly number[];
    readonly takeover: readonly number[];
    readonly events: readonly (readonly number[])[];
    readonly contacts: readonly number[];
  };
  /** Notes of the run so far. */
  readonly notes: readonly string[];
  /** How the run ended, if it had. */
  readonly ended?: { readonly status: RunStatus; readonly reason: string };
  /** Checksum of memory and numbers. */
  readonly checksum: number;
}

const floats = listOf(rule<number>("a number", (value) => typeof value === "number"));

const SHAPE: Shape<RunSnapshot> = {
  identity: needed(text),
  solver: needed(text),
  memory: needed(
    recordOf(
      rule<Bytes>("bytes", (value) => value instanceof Uint8Array),
      "bytes by mode",
    ),
  ),
  numbers: needed(
    options<RunSnapshot["numbers"]>({
      time: needed(finite),
      next: needed(finite),
      last: needed(finite),
      stabilityRate: needed(finite),
      floor: needed(floats),
      controller: needed(floats),
      tally: needed(floats),
      watch: needed(floats),
      takeover: needed(floats),
      events: needed(listOf(floats)),
      contacts: needed(floats),
    }),
  ),
  notes: needed(listOf(text)),
  ended: options<NonNullable<RunSnapshot["ended"]>>({
    status: needed(rule("text", (value) => typeof value === "string")),
    reason: needed(text),
  }),
  checksum: needed(finite),
};

function checkedSnapshot(given: unknown): RunSnapshot {
  if (!isRecord(given)) throw wrong("it is not a snapshot of a run: give what save() returned");
  return optionsOf("restore: this snapshot does not fit", "STEP", given, SHAPE);
}

/** Checksum of everything that determines the results. */
function checksumOfRun({ memory, numbers }: Omit<RunSnapshot, "checksum">): number {
  const { time, next, last, controller, tally, watch, takeover, events, contacts } = numbers;
  const lists = [[time, next, last], controller, tally, watch, takeover, ...events, contacts];
  return checksumOf(Object.values(memory), lists.flat());
}

type Bytes = Uint8Array<ArrayBuffer>;

export function saveRun<T extends State>(loop: Loop<T>): RunSnapshot {
  const memory: Record<string, Bytes> = {};
  for (const [key, { arena }] of loop.solvers.entries()) memory[key] = bytesOf(arena).slice();
  const {
    solver,
    time,
    stepping,
    lastStep,
    tally,
    log,
    solvers,
    stiffness,
    notes,
    status,
    reason,
  } = loop;
  const snapshot = {
    identity: identityOf(loop),
    solver: solver.key,
    memory,
    numbers: {
      time,
      next: stepping.next,
      last: lastStep,
      stabilityRate: stepping.stabilityRate,
      controller: stepping.controller.save(),
      floor: stepping.floor.save(),
      tally: tally.save(solvers.costs()),
      watch: stiffness.save(),
      takeover: loop.methodSwitch.save(),
      events: log.save(),
      contacts: loop.contacts.save(),
    },
    notes: [...notes],
    ...(status && { ended: { status, reason } }),
  };
  return { ...snapshot, checksum: checksumOfRun(snapshot) };
}

/** Restores a snapshot. Throws and changes nothing if it does not fit. */
export function restoreRun<T extends State>(loop: Loop<T>, given: RunSnapshot): void {
  const snapshot = checkedSnapshot(given);
  check(loop, snapshot);
  const copies = Object.entries(snapshot.memory).map(([key, bytes]): [Bytes, Bytes] => {
    const own = bytesOf(loop.solvers.get(key).arena);
    if (own.length === bytes.length) return [own, bytes];
    throw wrong(
      `its memory of mode "${key}" has ${bytes.length} bytes, and that of this run ${own.length}: it is of another ` +
        "version of the package, or of other options",
    );
  });
  if (checksumOfRun(snapshot) !== snapshot.checksum) {
    throw wrong("checksum mismatch, it is corrupt");
  }
  loop.solvers.keepOnly(Object.keys(snapshot.memory));
  for (const [own, bytes] of copies) own.set(bytes);
  resume(loop, snapshot);
}

/** Continues from a snapshot whose memory is in place. States and events are recorded from there on. */
function resume<T extends State>(loop: Loop<T>, snapshot: RunSnapshot): void {
  const { solver, numbers, notes, ended } = snapshot;
  const { time } = numbers;
  loop.solver = loop.solvers.get(solver);
  loop.solvers.isStiff = loop.solver.key !== loop.solver.variant;
  loop.time = time;
  loop.lastStep = numbers.last;
  loop.stepping.next = numbers.next;
  loop.stepping.stabilityRate = numbers.stabilityRate;
  loop.stepping.controller.restore(numbers.controller);
  loop.stepping.floor.restore(numbers.floor);
  loop.tally.restore(numbers.tally, loop.solvers.costs());
  loop.stiffness.restore(numbers.watch, loop.solver);
  loop.methodSwitch.restore(numbers.takeover);
  loop.notes.splice(0, loop.notes.length, ...notes);
  loop.log.restore(numbers.events);
  loop.contacts.restore(numbers.contacts);
  // The memory was replaced.
  for (const [, { system }] of loop.solvers.entries()) system.at(time);
  loop.recorder = loop.recorder.from(loop.solver, loop.solver.viewer.atAccepted(time));
  const stays = ended !== undefined && isOver(ended.status, time === loop.setup.span[1]);
  loop.status = stays ? ended.status : undefined;
  loop.reason = stays ? ended.reason : "";
  loop.cause = undefined;
}

function check<T extends State>(loop: Loop<T>, snapshot: RunSnapshot): void {
  const { identity: of, numbers, memory, solver } = snapshot;
  const identity = identityOf(loop);
  if (of !== identity) throw wrong(`it belongs to ${of}, not to ${identity}`);
  if (!Object.hasOwn(memory, solver)) throw wrong(`it has no memory of mode "${solver}"`);
  const [events = [], counts = []] = numbers.events;
  const { locator } = loop.log;
  if (!locator.fits(events) || counts.length !== locator.events.length) {
    throw wrong("its event data are of another version of the package");
  }
  const [start, end] = loop.setup.span;
  if ((numbers.time - start) * (numbers.time - end) <= 0) return;
  throw wrong(`its time ${numbers.time} lies outside the span from ${start} to ${end}`);
}

/** Identity that a snapshot must match: memory is then laid out in the same way. */
function identityOf<T extends State>({ solvers, method, setup }: Loop<T>): string {
  const { name, ode, coordinates, constraints } = solvers.first.system;
  const rows = switchingOf(setup.sources[START]!)?.rowNames.length ?? constraints.rows;
  const sizes = ode
    ? `${coordinates.positions} unknowns`
    : `${coordinates.velocities} coordinates, ${rows} constraints`;
  const modes = Object.keys(setup.sources).join(", ");
  const way = setup.direction < 0 ? "backwards" : "forwards";
  return `"${name}" (${sizes}; modes: ${modes}; ${setup.events.length} events; ${way}) with ${method}`;
}

function bytesOf({ memory }: { readonly memory: WebAssembly.Memory }): Bytes {
  return new Uint8Array(memory.buffer as ArrayBuffer);
}

function wrong(what: string): NodriftError {
  return new NodriftError("STEP", `restore: this snapshot does not fit: ${what}`);
}
