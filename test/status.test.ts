import { NodriftError } from "nodrift";
import {
  checkStatus,
  describeStatus,
  hasFailed,
  KernelError,
  STATUS_BITS,
  Status,
} from "nodrift/kernels";
import { describe, expect, test } from "vitest";

const at = (code: Status, index: number) => code | (index << STATUS_BITS);

describe("a status", () => {
  test.each([
    [at(Status.OK, 0), "succeeded"],
    [at(Status.DEFICIENT, 2), "found a lower rank: row or column 2 depends on others"],
    [at(Status.NON_FINITE, 3), "met NaN or Infinity in row 3 of its input"],
    [
      at(Status.NOT_POSITIVE, 4),
      "found no positive pivot in row 4: the matrix is not positive definite",
    ],
    [at(Status.SINGULAR, 5), "found a zero pivot in row 5: the matrix is singular"],
    [at(Status.NO_CONVERGENCE, 6), "did not converge at value 6"],
    [
      at(Status.BAD_SIZE, 0),
      "refused argument 0, counted from 0: a size that is negative or does not fit the others",
    ],
    [at(99 as Status, 1), `returned the unknown status ${at(99 as Status, 1)}`],
  ])("%i has words", (status, words) => {
    expect(describeStatus(status)).toBe(words);
  });

  test("supports an index of 23 bits and more", () => {
    expect(describeStatus(at(Status.SINGULAR, 2 ** 23 + 1))).toContain(`row ${2 ** 23 + 1}:`);
  });

  test("check returns the status, or throws it", () => {
    expect(checkStatus("choleskyFactor", Status.OK)).toBe(Status.OK);
    const deficient = at(Status.DEFICIENT, 7);
    expect(hasFailed(deficient)).toBe(false);
    expect(checkStatus("choleskyFactor", deficient)).toBe(deficient);

    const refuse = () => checkStatus("choleskyFactor", at(Status.SINGULAR, 3));
    expect(refuse).toThrow(KernelError);
    expect(refuse).toThrow(NodriftError);
    expect(refuse).toThrow(
      expect.objectContaining({
        name: "KernelError",
        code: "KERNEL",
        status: Status.SINGULAR,
        index: 3,
        message: "choleskyFactor found a zero pivot in row 3: the matrix is singular",
      }),
    );
  });
});
