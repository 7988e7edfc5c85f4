import { Matrix } from "ml-matrix";
import { driftElimination, equations, rk4, simulate, udwadiaKalaba } from "nodrift";
import { DriftEliminationStepper, type StepModel } from "../baseline/drift-elimination.js";
import { driftEliminationStep } from "../baseline/drift-elimination-ml.js";
import type { Contest } from "./contest.js";

/**
 * Braun and Goldfarb's slider-crank (rods and slider of unit mass and length, torque 20, damping 5) with
 * its formulas written out: the functions all entrants share.
 */
export function sliderCrankModel(): StepModel {
  const GRAVITY = 9.81;
  let [s1, c1, s2, c2] = [0, 1, 0, 1];
  return {
    n: 4,
    m: 3,
    prepare(q) {
      s1 = Math.sin(q[2]);
      c1 = Math.cos(q[2]);
      s2 = Math.sin(q[3]);
      c2 = Math.cos(q[3]);
    },
    mass(out) {
      const cosine = 1.5 * (c1 * c2 + s1 * s2);
      out[0] = 3;
      out[1] = 0;
      out[2] = -2.5 * s1;
      out[3] = -1.5 * s2;
      out[4] = 0;
      out[5] = 3;
      out[6] = 2.5 * c1;
      out[7] = 1.5 * c2;
      out[8] = out[2];
      out[9] = out[6];
      out[10] = 2.25 + 1 / 12;
      out[11] = cosine;
      out[12] = out[3];
      out[13] = out[7];
      out[14] = cosine;
      out[15] = 1.25 + 1 / 12;
    },
    forces(v, out) {
      const w1 = v[2] * v[2];
      const w2 = v[3] * v[3];
      const sine = 1.5 * (s2 * c1 - c2 * s1);
      out[0] = 2.5 * c1 * w1 + 1.5 * c2 * w2;
      out[1] = -3 * GRAVITY + 2.5 * s1 * w1 + 1.5 * s2 * w2;
      out[2] = -2.5 * GRAVITY * c1 + sine * w2 + 20 - 5 * v[2];
      out[3] = -1.5 * GRAVITY * c2 - sine * w1;
    },
    phi(q, out) {
      out[0] = q[0];
      out[1] = q[1];
      out[2] = q[1] + s1 + s2;
    },
    jacobian(out) {
      out[0] = 1;
      out[1] = 0;
      out[2] = 0;
      out[3] = 0;
      out[4] = 0;
      out[5] = 1;
      out[6] = 0;
      out[7] = 0;
      out[8] = 0;
      out[9] = 1;
      out[10] = c1;
      out[11] = c2;
    },
    gamma(v, out) {
      out[0] = 0;
      out[1] = 0;
      out[2] = s1 * v[2] * v[2] + s2 * v[3] * v[3];
    },
  };
}

const STEP = 1e-3;
const REST = [0, 0, 0, 0];

/** One RK4 step with drift elimination, user functions included. */
export const stepContest: Contest = {
  name: "RK4 step with drift elimination, slider-crank",
  sizes: [[4, 3]],
  entrants: {
    wasm() {
      const model = sliderCrankModel();
      const system = equations({
        coordinates: model.n,
        prepare: model.prepare,
        mass: { full: (_, out) => model.mass(out) },
        forces: (_, v, out) => model.forces(v, out),
        holonomic: {
          rows: model.m,
          value: (q, out) => model.phi(q, out),
          jacobian: (_, out) => model.jacobian(out),
          gamma: (_, v, out) => model.gamma(v, out),
        },
      });
      const simulation = simulate(system, {
        method: {
          formulation: udwadiaKalaba(),
          stabilisation: driftElimination(),
          integrator: rk4(),
        },
        step: STEP,
        q: REST,
      });
      return () => simulation.advance().q[2];
    },
    "plain js"() {
      const stepper = new DriftEliminationStepper(sliderCrankModel(), REST, REST);
      return () => {
        stepper.step(STEP);
        return stepper.y[2];
      };
    },
    "ml-matrix"() {
      const model = sliderCrankModel();
      let y = Matrix.columnVector([...REST, ...REST]);
      return () => {
        y = driftEliminationStep(model, y, STEP);
        return y.get(2, 0);
      };
    },
  },
};
