// Calls of `nodrift`, `nodrift/analysis` and `nodrift/mechanisms`.

import * as core from "nodrift";
import { maggi } from "nodrift";
import * as analysis from "nodrift/analysis";
import { initSync, Workspace } from "nodrift/kernels";
import * as mechanisms from "nodrift/mechanisms";
import { type Call, exported, functionsOf, method } from "./call.js";
import { pendulum, pendulumDescription, type World } from "./world.js";

const { rk4 } = core;

/** Factories of methods with valid options. */
const MAKERS: Readonly<Record<string, () => unknown[]>> = {
  lagrange: () => [{ solver: "kkt" }],
  udwadiaKalaba: () => [{ solver: "svd", tolerance: 1e-12 }],
  penalty: () => [{ penalty: 1e7 }],
  augmentedLagrangian: () => [{ penalty: 1e7, iterations: 10, tolerance: 1e-14 }],
  nullSpace: () => [{ basis: "svd", tolerance: 1e-12 }],
  accelerationProjection: () => [{ basis: "lu", tolerance: 1e-12 }],
  maggi: () => [{ basis: "extraction", tolerance: 1e-12 }],
  velocityTransformation: () => [],
  frozenBasis: () => [{ maximumCondition: 1.5, basis: "svd", tolerance: 1e-12 }],
  projectionOperator: () => [{ basis: "svd", tolerance: 1e-12 }],
  projective: () => [{ tolerance: 1e-12 }],
  phaseSpace: () => [{ tolerance: 1e-12 }],
  coordinatePartitioning: () => [{ independent: ["x"], tolerance: 1e-12 }],
  ascher: () => [{ gain: 5, metric: "identity" }],
  postStabilisation: () => [{ form: "diagonal", times: 2, metric: "identity" }],
  baumgarte: () => [{ alpha: 1, beta: (h: number) => 1 / h, eta: 2 }],
  driftElimination: () => [{ frozen: true, positions: false }],
  projection: () => [
    { positions: true, velocities: true, iterations: 3, tolerance: 1e-14, solver: "penalty" },
  ],
  stagedProjection: () => [{ positions: false, tolerance: 1e-13 }],
  energyDescent: () => [{ positionGain: 0.01, velocityGain: 0.01 }],
  energyMultiplier: () => [{ eta: 4, together: true }],
  energyVelocity: () => [{ gain: 0.1, massWeighted: true }],
  none: () => [],
  welch: () => [{ passes: 2, solver: "auto" }],
  midpointEmbedding: () => [{ compliance: 1e-9 }],
  staggered: () => [{ compliance: 1e-9 }],
  extrapolation: () => [{ order: 8 }],
  halfExplicit: () => [{ order: 5 }],
  hong: () => [{ solver: "cod" }],
  ...Object.fromEntries(Object.keys(core.integrators).map((name) => [name, () => []])),
};

const method2 = () => ({
  formulation: Object.freeze(core.udwadiaKalaba()),
  stabilisation: [Object.freeze(core.projection())],
  integrator: Object.freeze(rk4()),
});

const started = () => ({
  method: method2(),
  step: 0.01,
  q: [1, 0],
  v: [0, 0],
  time: 0,
  start: "assemble",
});

export function coreCalls(world: World): Call[] {
  const { simulate } = world;
  const on = (given: () => unknown[]) => () => ({ on: simulate(), given: given() });
  const reads = ["accelerations", "multipliers", "phi", "phiDot", "constraintError", "energy"];
  return [
    ...Object.entries(MAKERS).map(([name, make]) =>
      exported("nodrift", name, (core as Record<string, unknown>)[name], make),
    ),
    exported("nodrift", "equations", core.equations, () => [pendulumDescription()], [
      "pendulum",
      "coordinates",
    ]),
    exported(
      "nodrift",
      "equations non-ideal",
      core.equations,
      () => [{ ...pendulumDescription(), nonIdeal: { force: () => {}, iterations: 20 } }],
      ["pendulum", "coordinates"],
    ),
    exported(
      "nodrift",
      "maggi characteristics",
      core.maggi,
      () => [
        {
          characteristics: { count: 1, value: () => {}, jacobian: () => {}, rate: () => {} },
          tolerance: 1e-12,
        },
      ],
      ["maggi"],
    ),
    exported(
      "nodrift",
      "coordinatePartitioning projective",
      core.coordinatePartitioning,
      () => [{ criterion: "projective", tolerance: 1e-12 }],
      ["coordinatePartitioning"],
    ),
    exported("nodrift", "simulate", core.simulate, () => [pendulum(), started()], [
      "no system",
      "pendulum",
      "coordinates",
      "positions",
    ]),
    exported(
      "nodrift",
      "simulate named",
      core.simulate,
      () => [
        pendulum(),
        {
          method: {
            formulation: Object.freeze(maggi({ basis: "lu" })),
            integrator: Object.freeze(rk4()),
          },
          step: 0.01,
          q: [1, 0],
        },
      ],
      ["no system", "simulate", "method", "coordinates", "pendulum"],
    ),
    exported("nodrift", "init", core.init, () => [undefined]),
    exported("nodrift", "initSync", core.initSync, () => [undefined], ["init"]),
    exported("nodrift", "initDense", core.initDense, () => [undefined], ["init"]),
    exported("nodrift", "denseMemory", core.denseMemory, () => [new Workspace(initSync)], [
      "workspace",
    ]),
    method(
      "Simulation",
      "advance",
      on(() => [2]),
      ["steps"],
    ),
    method(
      "Simulation",
      "runTo",
      on(() => [0.05, () => {}]),
      ["the time", "each"],
    ),
    method(
      "Simulation",
      "setStep",
      on(() => [0.02]),
      ["step"],
    ),
    method(
      "Simulation",
      "setState",
      on(() => [[0, -1], [0.5, 0], "assemble"]),
      ["q", "v", "start", "pendulum"],
    ),
    method(
      "Simulation",
      "restore",
      () => {
        const simulation = simulate();
        return { on: simulation, given: [{ ...simulation.save() }] };
      },
      ["snapshot"],
    ),
    method(
      "Simulation",
      "constraintForces",
      on(() => [["length"]]),
      ["names", "constraint"],
    ),
    ...[...reads, "rank", "degreesOfFreedom", "save"].map((name) =>
      method(
        "Simulation",
        name,
        on(() => []),
      ),
    ),
    ...analysisCalls(world),
    ...mechanismCalls(),
  ];
}

function analysisCalls({ simulate }: World): Call[] {
  const map = () => {
    const { start: _, ...rest } = started();
    return { ...rest, q: [0, -1] };
  };
  const limit = () => {
    const { step: _, ...rest } = map();
    return { ...rest, stable: 0.01, unstable: 2, tolerance: 1e-3 };
  };
  const entry = "nodrift/analysis";
  const linear = () => ({ mass: [1, 2], jacobian: [[1, 1]], step: 0.1 });
  return [
    exported(
      entry,
      "withTracking",
      analysis.withTracking,
      () => [
        pendulumDescription(),
        [
          {
            name: "hand",
            follows: "x",
            reference: (t: number) => t,
            rate: () => 1,
            acceleration: () => 0,
          },
        ],
      ],
      ["pendulum", "references", "hand", "equations"],
    ),
    exported(entry, "controlForces", analysis.controlForces, () => [simulate(), ["length"]], [
      "constraint",
    ]),
    exported(entry, "measureDrift", analysis.measureDrift, () => [simulate(), 1], [
      "runTo",
      "until",
    ]),
    exported(entry, "energyCoupling", analysis.energyCoupling, () => [pendulum()]),
    exported(entry, "projectors", analysis.projectors, () => [pendulum()]),
    exported(entry, "eigenvalues", analysis.eigenvalues, () => [2, [1, 2, 3, 4]]),
    exported(entry, "spectralRadius", analysis.spectralRadius, () => [2, [1, 2, 3, 4]], [
      "eigenvalues",
    ]),
    exported(entry, "linearMap", analysis.linearMap, () => [pendulum(), map()], [
      "no system",
      "coordinates",
    ]),
    exported(entry, "stabilityLimit", analysis.stabilityLimit, () => [pendulum(), limit()], [
      "no system",
      "coordinates",
    ]),
    exported(entry, "welchMap", analysis.welchMap, () => [linear()], [
      "linear constraints",
      "jacobian",
    ]),
    exported(
      entry,
      "baumgarteHeunMap",
      analysis.baumgarteHeunMap,
      () => [{ ...linear(), alpha: 1, beta: 1 }],
      ["linear constraints", "jacobian"],
    ),
  ];
}

function mechanismCalls(): Call[] {
  const given: Readonly<Record<string, () => unknown[]>> = {
    braunFourBarsWithGravity: () => [9.81],
    braunFourBarsAcceleration: () => [0.1],
    braunPendulumAcceleration: () => [0.1],
    braunSliderPosition: () => [[0, 0.1, 0, 0.1]],
    braunSliderCrankAcceleration: () => [0.1, 0.2],
    chaplyginSleighMotion: () => [1],
    knifeEdgeMotion: () => [1],
    vanDerPol: () => [{ epsilon: 1e-3 }],
    bennett: () => [{ angle: 1, rate: 3, rounding: 0 }],
    chain3d: () => [2, { start: "rest" }],
    nFourBar: () => [2, { psi0: 0.1, tilt: [1, 0, 0, 0] }],
    nFourBarStiffness: () => [2],
    rollingDiskCentre: () => [1],
    sliderCrank3dPosition: () => [1],
    threeLinkPendulum: () => [{ pin: "world" }],
    hmmwv: () => [{ bump: true, speed: 5 }],
  };
  return functionsOf(mechanisms).map(([name, value]) => {
    const call = exported("nodrift/mechanisms", name, value, given[name] ?? (() => []));
    const isFormula = /Motion$|Acceleration$|Position$|Centre$|Stiffness$|Of$/.test(name);
    return { ...call, refusesMore: !isFormula };
  });
}
