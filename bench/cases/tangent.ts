import { BasisKind, checkStatus, TangentHeader, tangentBasis, tangentSlots } from "nodrift/kernels";
import {
  distance,
  identity,
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

export const BASIS_KINDS = [
  ["complete pivoting", BasisKind.LU],
  ["QR", BasisKind.QR],
  ["singular values", BasisKind.SVD],
  ["eigenvalues", BasisKind.EIGEN],
  ["Gram-Schmidt", BasisKind.GRAM_SCHMIDT],
] as const;

/** Random constraints, a mass matrix and forces in memory, with a tangent record. */
export function tangentProblem(random: Random, n: number, m: number) {
  const memory = scratch({
    // J by rows is J^T by columns.
    jacobian: conditionedMatrix(random, n, m, 8),
    jacobianRate: randomVector(random, m * n),
    mass: symmetricMatrix(random, n, 8),
    forces: randomVector(random, n),
    right: randomVector(random, m),
    e: randomVector(random, n),
    record: tangentSlots(n, m),
    x: n,
    rate: n,
    taken: n,
    zeta: n,
    a: n,
  });
  return { memory, jacobian: transpose(n, m, memory.jacobian.view) };
}

/** The basis of a record, n x (n - rank). */
export function basisIn(n: number, m: number, record: Float64Array): Float64Array {
  const start = tangentBasis(n, m);
  return record.slice(start, start + n * (n - record[TangentHeader.RANK]));
}

/** J x = right, the equations of motion in the null space, and J basis = 0. */
function judged(
  n: number,
  m: number,
  { memory, jacobian }: ReturnType<typeof tangentProblem>,
): number {
  const { mass, forces, right, x, a, record } = memory;
  const basis = basisIn(n, m, record.view);
  const count = basis.length / Math.max(n, 1);
  const balance = multiply(n, n, 1, mass.view, a.view).map((value, i) => value - forces.view[i]);
  const free = multiply(count, n, 1, transpose(n, count, basis), balance);
  return Math.max(
    norm(multiply(m, n, count, jacobian, basis)) / (norm(jacobian) * norm(basis) || 1),
    // Without rows there are no equations, and no scale for their error.
    distance(multiply(m, n, 1, jacobian, x.view), right.view) /
      (norm(x.view) + norm(right.view) || 1),
    distance(multiply(m, n, 1, jacobian, a.view), right.view) /
      (norm(a.view) + norm(right.view) || 1),
    norm(free) / (norm(basis) * (norm(forces.view) + norm(a.view)) || 1),
  );
}

function chosen(random: Random, n: number, kind: BasisKind) {
  const m = n >> 1;
  const problem = tangentProblem(random, n, m);
  const { kernels, jacobian, mass, record } = problem.memory;
  const places = [jacobian.address, mass.address, 0, record.address] as const;
  checkStatus("tangentChoose", kernels.tangentChoose(n, m, kind, 0, 0, ...places));
  return { m, problem, ...problem.memory };
}

function nullSpaceCase([words, kind]: (typeof BASIS_KINDS)[number]): KernelCase {
  return {
    name: `null space accelerations by ${words}`,
    kernels: ["tangentChoose", "nullSpaceAccelerate"],
    factorisation: false,
    run(random, n) {
      const { m, problem, kernels, jacobian, mass, forces, right, record, a, x } = chosen(
        random,
        n,
        kind,
      );
      const inputs = [jacobian.address, mass.address, forces.address, right.address] as const;
      const outputs = [record.address, a.address] as const;
      checkStatus("nullSpaceAccelerate", kernels.nullSpaceAccelerate(n, m, ...inputs, ...outputs));
      x.view.set(a.view);
      return {
        error: judged(n, m, problem) / 64,
        results: [a.view, basisIn(n, m, record.view)],
      };
    },
  };
}

const projectedCase: KernelCase = {
  name: "accelerations by the constrained mass matrix",
  kernels: ["projectedAccelerate"],
  factorisation: false,
  run(random, n) {
    const made = chosen(random, n, BasisKind.QR);
    const { m, problem, kernels, jacobian, mass, forces, right, record, a, x } = made;
    const r = record.address;
    checkStatus("frameFactor", kernels.frameFactor(n, m, jacobian.address, r));
    kernels.frameParticular(n, m, r, 1, right.address, x.address);
    const inputs = [mass.address, forces.address, x.address] as const;
    const found = kernels.projectedAccelerate(n, m, r, ...inputs, a.address);
    checkStatus("projectedAccelerate", found);
    return { error: judged(n, m, problem) / 64, results: [a.view] };
  },
};

const frameCase: KernelCase = {
  name: "smooth frame and Maggi's equations",
  kernels: [
    "frameFactor",
    "frameParticular",
    "frameRate",
    "reducedAccelerate",
    "tangentAdd",
    "tangentTake",
  ],
  factorisation: false,
  run(random, n) {
    const made = chosen(random, n, BasisKind.QR);
    const { m, problem, kernels, jacobian, jacobianRate, mass, forces, right, record, e } = made;
    const { x, rate, taken, zeta, a } = made;
    const r = record.address;
    checkStatus("frameFactor", kernels.frameFactor(n, m, jacobian.address, r));
    kernels.frameParticular(n, m, r, 1, right.address, x.address);
    const inputs = [mass.address, forces.address, x.address] as const;
    const found = kernels.reducedAccelerate(n, m, r, ...inputs, zeta.address, a.address);
    checkStatus("reducedAccelerate", found);
    const basis = basisIn(n, m, record.view);
    const count = n - m;
    const square = multiply(count, n, count, transpose(n, count, basis), basis);
    kernels.tangentAdd(n, m, r, e.address, x.address);
    kernels.tangentTake(n, m, r, x.address, taken.address);
    kernels.frameRate(n, m, jacobianRate.address, r, x.address, rate.address);
    return {
      error:
        Math.max(
          judged(n, m, problem),
          relativeDistance(square, identity(count)),
          relativeDistance(taken.view.subarray(0, count), e.view.subarray(0, count)),
          norm(taken.view.subarray(count)),
        ) / 64,
      results: [a.view, x.view, taken.view, rate.view, basis],
    };
  },
};

const partitionCase: KernelCase = {
  name: "partition into dependent and independent coordinates",
  kernels: ["partitionFactor", "partitionParticular", "partitionTake"],
  factorisation: false,
  run(random, n) {
    const made = chosen(random, n, BasisKind.LU);
    const { m, problem, kernels, jacobian, mass, forces, right, record, e } = made;
    const { x, taken, zeta, a } = made;
    const r = record.address;
    checkStatus("partitionFactor", kernels.partitionFactor(n, m, 0, jacobian.address, r));
    const solved = kernels.partitionParticular(n, m, 0, r, 1, right.address, x.address);
    checkStatus("partitionParticular", solved);
    const inputs = [mass.address, forces.address, x.address] as const;
    const found = kernels.reducedAccelerate(n, m, r, ...inputs, zeta.address, a.address);
    checkStatus("reducedAccelerate", found);
    kernels.tangentAdd(n, m, r, e.address, x.address);
    kernels.partitionTake(n, m, 0, r, x.address, taken.address);
    return {
      error:
        Math.max(
          judged(n, m, problem),
          relativeDistance(taken.view.subarray(0, n - m), e.view.subarray(0, n - m)),
        ) / 64,
      results: [a.view, x.view, taken.view, basisIn(n, m, record.view)],
    };
  },
};

export const tangentCases: readonly KernelCase[] = [
  ...BASIS_KINDS.map(nullSpaceCase),
  projectedCase,
  frameCase,
  partitionCase,
];
