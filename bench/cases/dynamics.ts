import { checkStatus, MassKind, SolverMethod, SolverSides, solverSlots } from "nodrift/kernels";
import {
  distance,
  multiply,
  norm,
  relativeDistance,
  transpose,
} from "../../test/support/matrix.js";
import {
  conditionedMatrix,
  type Random,
  randomVector,
  symmetricMatrix,
} from "../../test/support/random.js";
import { scratch } from "../../test/support/scratch.js";
import type { KernelCase } from "./case.js";

const METHODS = [
  ["complete orthogonal decomposition", SolverMethod.COD],
  ["singular values", SolverMethod.SVD],
  ["Gram-Schmidt", SolverMethod.GRAM_SCHMIDT],
  ["Cholesky factor of J M^-1 J^T", SolverMethod.CHOLESKY],
  ["saddle point matrix", SolverMethod.KKT],
] as const;

/** Random equations M a = Q + J^T lambda, J a = right, in memory. */
export function constrainedProblem(
  random: Random,
  n: number,
  m: number,
  kind: MassKind,
  method: SolverMethod,
) {
  const full = symmetricMatrix(random, n, 64);
  const diagonal = Float64Array.from({ length: n }, (_, i) => full[i + i * n]);
  const memory = scratch({
    mass: kind === MassKind.FULL ? full : diagonal,
    // J by rows is J^T by columns.
    jacobian: conditionedMatrix(random, n, m, 64),
    forces: randomVector(random, n),
    right: randomVector(random, m),
    record: solverSlots(n, m, method),
    a: n,
    x: n,
    product: n,
    lambda: m,
    velocity: randomVector(random, n),
    both: n,
    corrected: n,
    sides: SolverSides.LENGTH / 2,
  });
  const mass = kind === MassKind.FULL ? full : spread(diagonal);
  return { memory, mass, jacobian: transpose(n, m, memory.jacobian.view) };
}

function spread(diagonal: Float64Array): Float64Array {
  const n = diagonal.length;
  return Float64Array.from({ length: n * n }, (_, i) =>
    i % (n + 1) === 0 ? diagonal[i / (n + 1)] : 0,
  );
}

function solverCase([words, method]: (typeof METHODS)[number], kind: MassKind): KernelCase {
  return {
    name: `constrained accelerations by ${words}, ${kind === MassKind.FULL ? "full" : "diagonal"} mass`,
    kernels: [
      "solverFactor",
      "solverFactorRates",
      "solverRates",
      "solverMinnorm",
      "solverMultipliers",
      "solverMassSolve",
      "solverRank",
    ],
    factorisation: false,
    run(random, n) {
      const m = Math.ceil(n / 2);
      const { memory, mass, jacobian } = constrainedProblem(random, n, m, kind, method);
      const { kernels, forces, right, record, a, x, product, lambda } = memory;
      const [r, f, g] = [record.address, forces.address, right.address];
      const factors = [memory.mass.address, memory.jacobian.address] as const;
      checkStatus("solverFactor", kernels.solverFactor(n, m, method, kind, 0, ...factors, r));
      checkStatus(
        "solverRates",
        kernels.solverRates(n, m, method, kind, r, f, g, 0, 0, a.address, 0),
      );
      checkStatus(
        "solverMultipliers",
        kernels.solverMultipliers(n, m, method, kind, r, f, g, lambda.address),
      );
      checkStatus("solverMinnorm", kernels.solverMinnorm(n, m, method, kind, 1, r, g, x.address));
      checkStatus("solverMassSolve", kernels.solverMassSolve(n, m, kind, r, f, product.address));
      const { velocity, both, corrected } = memory;
      const sides = [f, g, g, velocity.address, both.address, corrected.address];
      const { buffer, byteOffset } = memory.sides.view;
      new Int32Array(buffer, byteOffset, SolverSides.LENGTH).set(sides);
      checkStatus(
        "solverFactorRates",
        kernels.solverFactorRates(n, m, method, kind, 0, ...factors, r, memory.sides.address),
      );
      const correctedByOne = x.view.map((value, i) => value + velocity.view[i]);
      const rank = kernels.solverRank(n, m, method, 0, r);
      const forceOfConstraint = multiply(n, m, 1, memory.jacobian.view, lambda.view);
      const balance = multiply(n, n, 1, mass, a.view).map(
        (value, i) => value - forces.view[i] - forceOfConstraint[i],
      );
      const error = Math.max(
        rank === m ? 0 : 1,
        norm(balance) / (norm(forces.view) + norm(forceOfConstraint)),
        distance(multiply(m, n, 1, jacobian, a.view), right.view) /
          (norm(a.view) + norm(right.view)),
        distance(multiply(m, n, 1, jacobian, x.view), right.view) /
          (norm(x.view) + norm(right.view)),
        relativeDistance(multiply(n, n, 1, mass, product.view), forces.view),
        relativeDistance(both.view, a.view),
        relativeDistance(corrected.view, correctedByOne),
      );
      // Masses and Jacobians of condition 64 each: the error may be that much larger, and forming
      // J M^-1 J^T squares the condition.
      const condition = method === SolverMethod.CHOLESKY ? 64 ** 2 : 64;
      return {
        error: error / condition,
        results: [a.view, lambda.view, x.view, product.view, both.view, corrected.view],
      };
    },
  };
}

const arraysCase: KernelCase = {
  name: "small loops of the dynamics",
  kernels: [
    "addRowsTimes",
    "copyVector",
    "diagonalMatrix",
    "driftSides",
    "largestMagnitude",
    "multiplyEach",
    "stabilisedRight",
  ],
  factorisation: false,
  run(random, n) {
    const { kernels, a, x, y, z, copy, full, product, sum, left, sides } = scratch({
      a: randomVector(random, n * n),
      x: randomVector(random, n),
      y: randomVector(random, n),
      z: randomVector(random, n),
      copy: n,
      full: n * n,
      product: n,
      sum: n,
      left: n,
      sides: n,
    });
    kernels.copyVector(n, z.address, copy.address);
    kernels.addRowsTimes(n, n, a.address, x.address, copy.address);
    kernels.multiplyEach(n, x.address, y.address, product.address);
    kernels.diagonalMatrix(n, x.address, full.address);
    kernels.stabilisedRight(n, 2, 3, x.address, y.address, z.address, sum.address);
    const vectors = [x.address, y.address, z.address, copy.address] as const;
    kernels.driftSides(n, 4, ...vectors, left.address, sides.address);
    const rows = multiply(n, n, 1, transpose(n, n, a.view), x.view).map(
      (value, i) => value + z.view[i],
    );
    const largest = kernels.largestMagnitude(n, x.address);
    return {
      error: Math.max(
        relativeDistance(copy.view, rows),
        relativeDistance(
          product.view,
          x.view.map((value, i) => value * y.view[i]),
        ),
        relativeDistance(full.view, spread(x.view)),
        relativeDistance(
          sum.view,
          x.view.map((value, i) => value - 2 * y.view[i] - 3 * z.view[i]),
        ),
        relativeDistance(
          left.view,
          x.view.map((value, i) => value - 4 * y.view[i]),
        ),
        relativeDistance(
          sides.view,
          z.view.map((value, i) => -value - 4 * copy.view[i]),
        ),
        Math.abs(largest - Math.max(...x.view.map(Math.abs))),
      ),
      results: [
        copy.view,
        product.view,
        full.view,
        sum.view,
        left.view,
        sides.view,
        Float64Array.of(largest),
      ],
    };
  },
};

const choiceCase: KernelCase = {
  name: "independent coordinates by the projective criterion",
  kernels: ["projectiveChoice"],
  factorisation: false,
  run(random, n) {
    const count = Math.ceil(n / 2);
    const memory = scratch({
      // Columns of a well conditioned matrix; the criterion only needs directions.
      z: conditionedMatrix(random, n, count, 1),
      w: conditionedMatrix(random, n, n, 8),
      projected: n * count,
      chosen: n,
    });
    const { kernels, z, w, projected, chosen } = memory;
    const given = [z.address, w.address, projected.address, chosen.address] as const;
    checkStatus("projectiveChoice", kernels.projectiveChoice(n, count, ...given));
    // The first that is taken is deflected least of all.
    const cosine = (i: number) => {
      const direction = w.view.slice(i * n, (i + 1) * n);
      return norm(multiply(count, n, 1, transpose(n, count, z.view), direction)) / norm(direction);
    };
    const cosines = Array.from({ length: n }, (_, i) => cosine(i));
    const best = cosines.indexOf(Math.max(...cosines));
    const taken = chosen.view.reduce((sum, one) => sum + one, 0);
    return {
      error: taken === count && chosen.view[best] === 1 ? 0 : 1,
      results: [chosen.view],
    };
  },
};

export const dynamicsCases: readonly KernelCase[] = [
  ...METHODS.flatMap((method) => [
    solverCase(method, MassKind.FULL),
    solverCase(method, MassKind.DIAGONAL),
  ]),
  arraysCase,
  choiceCase,
];
