// The counter behind the costs in docs/methods.md counts what it says.

import {
  coupledMethods,
  driftElimination,
  formulations,
  hong,
  integrators,
  lagrange,
  none,
  nullSpace,
  projection,
  udwadiaKalaba,
} from "nodrift";
import { expect, test } from "vitest";
import {
  coupledCost,
  evaluationsOf,
  formulationCost,
  stabilisationCost,
} from "../../bench/support/method-costs.js";

test("integrators evaluate as often as their tableaus have stages", () => {
  for (const make of Object.values(integrators)) {
    expect(evaluationsOf(make()), make().name).toBe(make().stages);
  }
});

test("solves of coupled methods are those they tell", () => {
  for (const coupled of coupledMethods) {
    const solves = /(?:(\d+) x )?solve m/.exec(coupledCost(coupled));
    expect(Number(solves?.[1] ?? 1), coupled.name).toBe(coupled.stages);
  }
});

test("an evaluation by hand", () => {
  expect(formulationCost(udwadiaKalaba())).toBe(
    "J, M, Q, gamma, COD m x n, Cholesky n x n, solve m",
  );
  expect(formulationCost(lagrange({ solver: "kkt" }))).toBe(
    "J, M, Q, gamma, LDL^T (n + m), solve (n + m)",
  );
  expect(formulationCost(nullSpace({ basis: "svd" }))).toBe(
    "J, M, Q, gamma, LU n x n, SVD m x n, solve n",
  );
  expect(coupledCost(hong())).toBe("J, M, Phi, Q, COD m x n, Cholesky n x n, solve m");
  expect(stabilisationCost(none())).toBe("-");
  // One right side more in each evaluation; Phi once a step, since Phi' comes with J.
  expect(stabilisationCost(driftElimination())).toBe("solve m; in a step: Phi");
  expect(stabilisationCost(driftElimination({ positions: false }))).toBe("-");
  expect(stabilisationCost(projection())).toMatch(/^in a step: .*COD m x n.*solve m$/);
});

test("no formulation evaluates nothing, and none less than once", () => {
  for (const formulation of formulations) {
    const cost = formulationCost(formulation);
    expect(cost, formulation.name).toMatch(/\bQ\b/);
    expect(cost, formulation.name).toMatch(/\bsolve\b/);
    expect(cost, formulation.name).not.toMatch(/-\d/);
  }
});
