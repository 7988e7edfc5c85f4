// Data of controllers among the constants of the kernels: the index of the next sample, that of the first one since
// the controller began, outputs, memory, and the outputs of pending samples.

import type { ControllerData, ModelData } from "../../../model/model-data.js";

/** Offset of the outputs. */
export const CONTROLLER_OUTPUTS = 2;

/** Replaces an output for which constants have been computed: no output has this value. */
export const NOT_APPLIED = -Number.MAX_VALUE;

/** Number of samples stored until they act: the current one, and those that act later. */
export function keptSamples({ delay, every }: ControllerData): number {
  return Math.floor(delay / every) + 2;
}

/** Initial data of a controller: its first sample is the next one. */
export function controllerNumbers(controller: ControllerData): number[] {
  const { start, memoryStart } = controller;
  const underWay = new Array<number>(keptSamples(controller) * start.length).fill(0);
  return [Number.MIN_SAFE_INTEGER, 0, ...start, ...memoryStart, ...underWay];
}

/** Names of these data. */
export function controllerNames({ controllers }: ModelData): string[] {
  return controllers.flatMap((controller) =>
    controllerNumbers(controller).map((_, i) => `${controller.name}: held ${i}`),
  );
}
