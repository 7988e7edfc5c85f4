import { STATUS_BITS, Status } from "../../../assembly/layout.js";
import { NodriftError } from "../errors.js";

const CODE_MASK = (1 << STATUS_BITS) - 1;

/** The code of a kernel's status. */
export function statusCode(status: number): Status {
  return status & CODE_MASK;
}

/** The index in a kernel's status: a row, a pivot, an element or an argument. */
export function statusIndex(status: number): number {
  return status >>> STATUS_BITS;
}

/** True when a kernel's result must not be used. Rank deficiency is not a failure. */
export function failed(status: number): boolean {
  return (status & CODE_MASK) > Status.DEFICIENT;
}

const SENTENCES: Record<Status, (index: number) => string> = {
  [Status.OK]: () => "succeeded",
  [Status.DEFICIENT]: (index) => `found a lower rank: row or column ${index} depends on others`,
  [Status.NON_FINITE]: (index) => `met NaN or Infinity in row ${index} of its input`,
  [Status.NOT_POSITIVE]: (index) =>
    `found no positive pivot in row ${index}: the matrix is not positive definite`,
  [Status.SINGULAR]: (index) => `found a zero pivot in row ${index}: the matrix is singular`,
  [Status.NO_CONVERGENCE]: (index) => `did not converge at value ${index}`,
  [Status.BAD_SIZE]: (index) =>
    `refused argument ${index}, counted from 0: a size that is negative or does not fit the others`,
};

/** A kernel's status in words. */
export function describeStatus(status: number): string {
  return (
    SENTENCES[statusCode(status)]?.(statusIndex(status)) ?? `returned the unknown status ${status}`
  );
}

/** A kernel rejected its input. */
export class KernelError extends NodriftError {
  /** Name of the class, for messages. */
  override readonly name = "KernelError";
  /** The code of the kernel's status. */
  readonly status: Status;
  /** The row, column or argument of the status. */
  readonly index: number;

  constructor(kernel: string, status: number) {
    super("KERNEL", `${kernel} ${describeStatus(status)}`);
    this.status = statusCode(status);
    this.index = statusIndex(status);
  }
}

/**
 * Throws a {@link KernelError} if a kernel failed, and returns its status otherwise.
 *
 * @example
 * check("choleskyFactor", kernels.choleskyFactor(n, a.address, n, factor.address));
 */
export function check(kernel: string, status: number): number {
  if (failed(status)) throw new KernelError(kernel, status);
  return status;
}
