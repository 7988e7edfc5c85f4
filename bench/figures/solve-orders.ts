import { adams, adaptiveIntegrators } from "nodrift/solve";
import { changesOrder, integratorOrders } from "../../test/support/integrator-order.js";
import { type Figure, near, reported } from "./figure.js";

/** Orders of all adaptive integrators; for variable-order ones, order by order. */
export async function* solveOrderFigures(): AsyncGenerator<Figure> {
  for (const make of Object.values(adaptiveIntegrators)) {
    const integrator = make();
    if (changesOrder(integrator)) continue;
    const { name, order, errorOrder } = integrator;
    const measured = integratorOrders(integrator);
    yield near(`order of ${name}`, measured.global, order, 0.2);
    yield near(`order of ${name}, dense output`, measured.dense, order, 0.2);
    yield near(`order of ${name}, estimate of a step`, measured.estimate, errorOrder, 0.2);
  }
  yield* adamsOrders();
}

/** With local extrapolation, order k yields a motion of order k + 1. From 8 on rounding leaves too few points. */
function* adamsOrders(): Generator<Figure> {
  for (let order = 2; order <= 9; order++) {
    const { global, dense } = integratorOrders(adams({ order }));
    const name = `order of adams fixed at ${order}, of the motion ${order + 1}`;
    yield order < 8 ? near(name, global, order + 1, 0.2) : reported(name, global);
    const output = `${name}, dense output`;
    yield order < 8 ? near(output, dense, order + 1, 0.2) : reported(output, dense);
  }
}
