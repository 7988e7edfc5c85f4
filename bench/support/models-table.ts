// Every ready model for a while: what it is, how well it keeps its joints and its energy, how fast it runs.

import { compile } from "nodrift/bodies";
import { models, type ReadyModel } from "nodrift/mechanisms";
import { solve } from "nodrift/solve";
import { textTable } from "./table.js";

const SECONDS = 2;
const STEP = 1e-3;

/** Joints open by more than this are a failure: the models close to rounding. */
const OPEN = 1e-10;

/** Steps of this length are far too long for the stiff models. */
const runnable = models.filter(({ stiff }) => !stiff);
const stiffModels = models.filter(({ stiff }) => stiff);

/** The table, and whether every model kept its joints. */
export async function modelsTable(): Promise<{ text: string; good: boolean }> {
  let good = true;
  const rows: string[][] = [];
  for (const { name, build } of runnable) {
    const compiled = await compile(build());
    const { degreesOfFreedom, rows: count, rank } = compiled.report;
    const simulation = compiled.simulate({ step: STEP });
    const before = simulation.energy().total;
    // The first half lets the engine compile what it will run.
    simulation.runTo(SECONDS / 2);
    const start = performance.now();
    simulation.runTo(SECONDS);
    const seconds = (performance.now() - start) / 1000;
    const { position } = simulation.constraintError();
    if (!(position < OPEN)) good = false;
    rows.push([
      name,
      String(compiled.data.bodies.length),
      String(degreesOfFreedom),
      count > rank ? `${count - rank} of ${count}` : "-",
      position.toExponential(0),
      Math.abs(simulation.energy().total - before).toExponential(0),
      `${(SECONDS / 2 / seconds).toFixed(0)} x`,
    ]);
  }
  const head = [
    "mechanism",
    "bodies",
    "freedoms",
    "redundant rows",
    "open by",
    "energy",
    "real time",
  ];
  return { text: textTable(head, rows), good };
}

/** The same to a tolerance. */
export function solvedModelsTable(tolerance: number): Promise<{ text: string; good: boolean }> {
  return solvedTable(runnable, tolerance);
}

/** The stiff models to a tolerance: an implicit method takes over by itself. */
export function stiffModelsTable(tolerance: number): Promise<{ text: string; good: boolean }> {
  return solvedTable(stiffModels, tolerance);
}

/** What each cost by the default method, and whether all were finished, the stiff ones by an implicit method. */
async function solvedTable(list: readonly ReadyModel[], tolerance: number) {
  let good = true;
  const rows: string[][] = [];
  for (const { name, build, stiff } of list) {
    const source = await compile(build());
    const run = () => solve(source, { span: [0, SECONDS], tolerance, output: "ends" });
    run();
    const { status, statistics } = run();
    const { steps, rejections, evaluations, maximumDrift, energyError, seconds } = statistics;
    if (status !== "finished" || !(maximumDrift.position < OPEN)) good = false;
    if (stiff && !statistics.implicit) good = false;
    rows.push([
      name,
      rejections > 0 ? `${steps} + ${rejections}` : String(steps),
      String(evaluations),
      maximumDrift.position.toExponential(0),
      ...(stiff ? [] : [energyError.toExponential(0)]),
      `${(SECONDS / seconds).toFixed(0)} x`,
    ]);
  }
  // Dampers take energy from the stiff models: it tells nothing of errors there.
  const energy = list.some(({ stiff }) => stiff) ? [] : ["energy"];
  const head = ["mechanism", "steps", "evaluations", "open by", ...energy, "real time"];
  return { text: textTable(head, rows), good };
}
