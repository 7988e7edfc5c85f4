import { adaptiveIntegrators } from "nodrift/solve";
import { changesOrder, integratorOrders } from "../support/integrator-order.js";
import { type Figure, near } from "./figure.js";

/** Orders of all integrators that control their error, but for those that change their order. */
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
}
