import fc from "fast-check";

/** A sentence that is true of every input, and the search for an input of which it is not. */
export interface Law {
  readonly says: string;
  /** Tries so many inputs. Throws with the smallest one found that breaks the law, and the seed to find it again. */
  readonly hold: (cases: number, seed: number) => Promise<void>;
}

/**
 * `check` throws where the law is broken; `fc.pre` in it passes over inputs of which the law says nothing, and
 * they do not count. `share` is below 1 for laws that read whole files.
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
