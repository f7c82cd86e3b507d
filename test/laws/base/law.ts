import fc from "fast-check";

/** A statement that is true for every input, and the search for a counterexample. */
export interface Law {
  readonly says: string;
  /**
   * Tries this many inputs. Throws with the smallest counterexample and the seed to reproduce it.
   */
  readonly hold: (cases: number, seed: number) => Promise<void>;
}

/**
 * `check` throws where the law is broken. `fc.pre` in it skips inputs that the law does not cover,
 * and they do not count. `share` is below 1 for laws that read whole files.
 */
export const law = <Input>(
  says: string,
  inputs: fc.Arbitrary<Input>,
  check: (input: Input) => void | Promise<void>,
  share = 1,
): Law => ({
  says,
  hold: (cases, seed) =>
    fc.assert(
      fc.asyncProperty(inputs, async (input) => {
        await check(input);
      }),
      { numRuns: Math.ceil(cases * share), seed },
    ),
});
