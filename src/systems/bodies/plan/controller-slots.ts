// Numbers of controllers among the constants of the kernels: the number of the next sample, that of the first one since the
// controller began, outputs, memory, and the outputs of samples that are under way.

import type { ControllerData, ModelData } from "../../../describe/model/model-data.js";

/** Where the outputs begin. */
export const CONTROLLER_OUTPUTS = 2;

/** In place of an output for which constants have been found: none has this value. */
export const NOT_APPLIED = -Number.MAX_VALUE;

/** Samples that are kept until they act: that of now, and those that act later. */
export function keptSamples({ delay, every }: ControllerData): number {
  return Math.floor(delay / every) + 2;
}

/** Numbers of a controller at the start: its first sample is the next there is. */
export function controllerNumbers(controller: ControllerData): number[] {
  const { start, memoryStart } = controller;
  const underWay = new Array<number>(keptSamples(controller) * start.length).fill(0);
  return [Number.MIN_SAFE_INTEGER, 0, ...start, ...memoryStart, ...underWay];
}

/** Their names. */
export function controllerNames({ controllers }: ModelData): string[] {
  return controllers.flatMap((controller) =>
    controllerNumbers(controller).map((_, i) => `${controller.name}: held ${i}`),
  );
}
