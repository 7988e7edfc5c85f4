import { luSlots } from "../../../assembly/layout.js";
import type { Address } from "../../ground/memory/arena.js";
import { type StiffMemory, stiffMemory } from "../../ground/memory/stiff-memory.js";
import type { Workspace } from "../../ground/memory/workspace.js";
import { failed } from "../../ground/wasm/status.js";
import type { ShiftedSolver } from "../../seam/index.js";

/**
 * df/dy of p'' = a(p, p') as products with a mass matrix: M, M da/dp, M da/dp', each n x n by columns.
 */
export interface PiForm {
  readonly mass: Address;
  readonly j1: Address;
  readonly j2: Address;
}

export function reservePiForm(workspace: Workspace, n: number): PiForm {
  return {
    mass: workspace.vector("mass of the independent", n * n),
    j1: workspace.vector("M J1", n * n),
    j2: workspace.vector("M J2", n * n),
  };
}

/** Solves with I - alpha df/dy by Pi, of half the size (assembly/implicit/pi.ts). */
export function piShifted(
  workspace: Workspace,
  n: number,
  form: PiForm,
  complex: boolean,
): ShiftedSolver {
  const stiff = stiffMemory(workspace);
  return complex ? complexPi(workspace, stiff, n, form) : realPi(workspace, stiff, n, form);
}

function realPi(
  workspace: Workspace,
  stiff: StiffMemory,
  n: number,
  { mass, j1, j2 }: PiForm,
): ShiftedSolver {
  const pi = workspace.vector("Pi", n * n);
  const factor = workspace.vector("factor of Pi", luSlots(n));
  const right = workspace.vector("right side of Pi", n);
  const memory = workspace.reserve("alpha of Pi", 1);
  let alpha = new Float64Array(1);
  workspace.whenSealed((arena) => {
    alpha = arena.floats(memory);
  });
  return {
    factor(real) {
      alpha[0] = real;
      stiff.kernels.newtonMatrix(n, real, mass, j1, j2, pi);
      return !failed(workspace.kernels.luFactor(n, pi, n, factor));
    },
    solve(b, x) {
      const { kernels } = workspace;
      const half = 8 * n;
      stiff.kernels.piRight(n, alpha[0]!, mass, j1, b, b + half, right);
      kernels.luSolve(n, factor, right, x + half);
      kernels.axpy(n, alpha[0]!, x + half, b, x);
    },
  };
}

function complexPi(
  workspace: Workspace,
  stiff: StiffMemory,
  n: number,
  { mass, j1, j2 }: PiForm,
): ShiftedSolver {
  const factor = workspace.vector("complex Pi", 2 * n * n);
  const pivots = workspace.vector("pivots of complex Pi", n);
  const scratch = workspace.vector("scratch of complex Pi", 4 * n);
  const memory = workspace.reserve("alpha of complex Pi", 2);
  let alpha = new Float64Array(2);
  workspace.whenSealed((arena) => {
    alpha = arena.floats(memory);
  });
  return {
    factor(real, imaginary) {
      alpha[0] = real;
      alpha[1] = imaginary;
      stiff.kernels.complexPi(n, real, imaginary, mass, j1, j2, factor);
      return !failed(stiff.kernels.complexLuFactor(n, factor, pivots));
    },
    solve(b, x) {
      const [real, imaginary] = alpha as unknown as [number, number];
      stiff.kernels.complexPiSolve(n, real, imaginary, mass, j1, factor, pivots, b, x, scratch);
    },
  };
}
