// The counter of the costs in docs/methods.md counts correctly.

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
} from "../../docs/make/method-costs.js";

test("integrators evaluate once per stage of their tableau", () => {
  for (const make of Object.values(integrators)) {
    expect(evaluationsOf(make()), make().name).toBe(make().stages);
  }
});

test("coupled methods take as many solves as they declare", () => {
  for (const coupled of coupledMethods) {
    const solves = /(?:(\d+(?:\.5)?) x )?solve m/.exec(coupledCost(coupled));
    // Half-explicit methods also solve for m = 2 unit rows; extrapolation projects the end of a step in a few solves.
    const each = coupled.needs === "operators" ? 3 : 1;
    const projecting = coupled.name.startsWith("extrapolation") ? 4 : 0;
    const beyond = Number(solves?.[1] ?? 1) - each * coupled.stages;
    expect(beyond, coupled.name).toBeGreaterThanOrEqual(0);
    expect(beyond, coupled.name).toBeLessThanOrEqual(projecting);
  }
});

test("the counted work of an evaluation matches a count by hand", () => {
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
  // One more right-hand side in each evaluation; Phi once per step, since Phi' is computed with J.
  expect(stabilisationCost(driftElimination())).toBe("solve m; in a step: Phi");
  expect(stabilisationCost(driftElimination({ positions: false }))).toBe("-");
  expect(stabilisationCost(projection())).toMatch(/^in a step: .*COD m x n.*solve m$/);
});

test("the cost of every formulation has forces, a solve and no negative counts", () => {
  for (const formulation of formulations) {
    const cost = formulationCost(formulation);
    expect(cost, formulation.name).toMatch(/\bQ\b/);
    expect(cost, formulation.name).toMatch(/\bsolve\b/);
    expect(cost, formulation.name).not.toMatch(/-\d/);
  }
});
