import { compile, model } from "nodrift/bodies";
import { solve } from "nodrift/solve";
import { describe, expect, test } from "vitest";
import { compareSaved, endOf, trace } from "../support/save-restore.js";
import { type SavedRun, savedRuns } from "../support/saved-runs.js";

const runs = await savedRuns();
/** Snapshots of each run; `npm run figures` takes 50. */
const STEPS = 10;
const named = (name: string) => runs.find((run) => run.name === name) as SavedRun;
/** Numbers of steps, and of costs that reading may change: states that are read are projected. */
/** Without what reading costs, and notes on how accurate it is. */
const bare = ({ steps, events, end }: ReturnType<typeof trace>) => ({
  steps,
  events,
  end: end
    .replace(/"(evaluations|factorisations)":\d+/g, "")
    .replace(/"this method has no dense output[^"]*",?/, ""),
});

describe.each(runs.map((run, seed) => [run.name, run, seed] as const))("%s", (_, run, seed) => {
  test("continues bitwise identically from random steps", () => {
    const { plain, saving, continued } = compareSaved(run, STEPS, seed);
    expect(plain.steps.length).toBeGreaterThan(50);
    expect(plain.end).toContain('"finished"');
    expect(saving).toEqual(plain);
    expect(continued).toHaveLength(2 * STEPS);
    for (const { how, found, wanted } of continued) {
      expect({ how, ...found }).toEqual({ how, ...wanted });
    }
  });

  test("moves the same way whatever is stored and read", () => {
    const plain = bare(trace(run.begin()));
    const read = run.begin({ output: "steps", dense: true });
    const found = trace(read, (now) => {
      const solution = now.solution();
      const { end, time } = solution;
      for (const part of [0.3, 0.7]) {
        const at = time[0] + part * (end.time - time[0]);
        expect(solution.at(at).time).toBe(at);
      }
      expect(now.state.q).toEqual(end.q);
    });
    expect(bare(found)).toEqual(plain);
  });
});

test("requested states, and a function for each, do not change the motion", () => {
  for (const name of ["pendulum, dop853", "clockwork", "events and modes"]) {
    const run = named(name);
    let seen = 0;
    const output = { rate: 500 };
    const each = ({ q }: { q: Float64Array }) => {
      seen += q.length;
    };
    const found = trace(run.begin({ output, each, keep: false }));
    expect(bare(found)).toEqual(bare(trace(run.begin())));
    expect(seen).toBeGreaterThan(1000);
  }
});

test("angles are read in their own revolution, long after it", async () => {
  const m = model({ name: "wheel" });
  const wheel = m.body({ mass: 1, inertia: [1, 1, 1] });
  const axis = [0, 0, 1] as const;
  const hinge = m.revolute({ name: "hinge", between: [m.ground, wheel], at: [0, 0, 0], axis });
  m.driveAngle({ joint: hinge, angle: (t) => 10 * t });
  const solution = solve(await compile(m), { span: [0, 5], maximumStep: 0.1 });
  for (const time of [0.001, 1.234, 2.5001, 4.9]) {
    const { angle } = solution.at(time).joint("hinge");
    expect(angle).toBeCloseTo(10 * time, 9);
  }
});

describe("a run that is restored", () => {
  const run = named("events and modes");

  /** A run of some steps, what it knew then, and its end. */
  function saved(output: "steps" | "ends" | { rate: number }) {
    const itself = run.begin({ output });
    for (let i = 0; i < 30; i++) itself.step();
    const snapshot = itself.save();
    const { time } = itself;
    return { itself, snapshot, time, solution: itself.finish() };
  }

  test("keeps states and events from there on, and leaves earlier solutions alone", () => {
    const { itself, snapshot, time, solution } = saved("steps");
    const before = [...solution.time];
    const middle = (time + solution.end.time) / 2;
    const there = solution.at(middle);
    itself.restore(snapshot);
    expect(itself.time).toBe(time);
    expect(itself.isOver).toBe(false);
    const again = itself.finish();
    expect([...again.time]).toEqual(before.slice(before.lastIndexOf(time)));
    expect(again.events.map((event) => event.time)).toEqual(
      solution.events.map((event) => event.time).filter((at) => at > time),
    );
    expect([...again.at(middle).q]).toEqual([...there.q]);
    expect([...solution.state(3).q]).not.toEqual([...again.state(3).q]);
    expect(solution.state(3).time).toBe(before[3]);
    expect([...solution.at(middle).q]).toEqual([...there.q]);
    expect(() => again.at(time / 2)).toThrow(`the solution covers ${time} to`);
  });

  test("a restored run continues with the requested times", () => {
    const { itself, snapshot, time, solution } = saved({ rate: 100 });
    itself.restore(snapshot);
    const again = itself.finish();
    expect([...again.time]).toEqual([...solution.time].filter((at) => at > time));
    expect([...again.state(5).q]).toEqual([...solution.at(again.time[5]).q]);
  });

  test("a restored run is over if the saved run was, unless a limit ended it", () => {
    const { itself, solution } = saved("ends");
    const over = itself.save();
    const other = run.begin();
    other.restore(over);
    expect(other.isOver).toBe(true);
    expect(other.step()).toBe(false);
    expect(other.solution()).toMatchObject({ status: "finished", reason: solution.reason });
    const short = run.begin({ maximumSteps: 20 });
    expect(short.finish().status).toBe("maximumSteps");
    other.restore(short.save());
    expect(other.isOver).toBe(false);
    expect(endOf(other.finish())).toBe(endOf(solution));
  });

  test("a restored run may have a longer span than the saved one", () => {
    const pendulum = named("pendulum, dop853");
    const first = pendulum.begin({ span: [0, 1] });
    first.finish();
    const second = pendulum.begin({ span: [0, 2] });
    second.restore(first.save());
    expect(second.finish()).toMatchObject({ status: "finished", end: { time: 2 } });
  });
});

describe("a snapshot that does not fit is rejected, and nothing is lost:", () => {
  const run = named("events and modes");
  const other = (name: string) => named(name).begin().save();
  const ahead = run.begin();
  while (ahead.time < 3) ahead.step();
  const own = ahead.save();
  const [mode] = Object.keys(own.memory);

  test.each([
    [
      "of another system",
      other("clockwork"),
      /it belongs to "clockwork" .* not to "parallelogram"/,
    ],
    ["of another method", other("chain of 3 rods"), /with udwadiaKalaba \+ projection \+ dop853/],
    ["nothing", undefined, "it is not a snapshot of a run: give what save() returned"],
    [
      "a snapshot of a simulation",
      { identity: own.identity, memory: new Uint8Array(8) },
      "solver is missing",
    ],
    ["of a later time", own, /its time 3\.\d+ lies outside the span from 0 to 2/],
    ["of no mode", { ...own, solver: "asleep" }, 'it has no memory of mode "asleep"'],
    [
      "of another build",
      {
        ...own,
        numbers: { ...own.numbers, time: 1 },
        memory: { ...own.memory, [mode]: new Uint8Array(8) },
      },
      'its memory of mode "start" has 8 bytes',
    ],
  ])("%s", (_, snapshot, message) => {
    const options = { span: [0, 2] as const };
    const wanted = trace(run.begin(options));
    const found = trace(run.begin(options), (now, step) => {
      if (step !== 20) return;
      const restore = () => now.restore(snapshot as never);
      expect(restore).toThrow(message);
      expect(restore).toThrow(/^restore: this snapshot does not fit: /);
    });
    expect(found).toEqual(wanted);
  });
});
