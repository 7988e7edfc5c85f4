import { sdirk14Tableau, sdirk415Tableau } from "nodrift/solve";
import { orderResidual, stabilityAtInfinity, stabilityOnAxis } from "#experiments";
import { atMost, type Figure } from "./figure.js";

const COEFFICIENT_TOLERANCE = 1e-14;

/** Coefficients of the diagonally implicit methods: order 4 and L-stable. */
export async function* stiffTableauFigures(): AsyncGenerator<Figure> {
  for (const tableau of [sdirk415Tableau, sdirk14Tableau]) {
    const { name } = tableau;
    yield atMost(
      `${name}: conditions of order 4, residual`,
      orderResidual(tableau),
      COEFFICIENT_TOLERANCE,
    );
    yield atMost(`${name}: |R(infinity)|`, stabilityAtInfinity(tableau), COEFFICIENT_TOLERANCE);
    const excess = stabilityOnAxis(tableau) - 1;
    yield atMost(`${name}: |R(iy)| - 1, y = 1e-6 .. 1e6`, excess, COEFFICIENT_TOLERANCE);
  }
}
