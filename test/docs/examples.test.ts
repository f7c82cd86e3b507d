/** The examples in docstrings compile, run and print what they say. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { openExampleScene } from "./example-scene.ts";
import { compileExamples, examplesIn, outputOf } from "./docstring-examples.ts";
import { codeFiles } from "../support/source-files.ts";

const EXAMPLES_MIN = 12;
const LINES_MAX = 15;

const examples = codeFiles()
  .filter((path) => /^(?:src|jobs|workers)\//.test(path))
  .flatMap(examplesIn);

let opened: Awaited<ReturnType<typeof openExampleScene>>;
let paths: readonly string[];
beforeAll(async () => {
  opened = await openExampleScene();
  const type = { module: "../test/docs/example-scene.ts", type: "ExampleScene" };
  paths = compileExamples(examples, { ...type, names: Object.keys(opened.scene) });
});
afterAll(() => opened.close());

test("finds the examples, each short and with an output", () => {
  expect(examples.length).toBeGreaterThanOrEqual(EXAMPLES_MIN);
  expect(examples.filter(({ code }) => code.length > LINES_MAX)).toEqual([]);
  expect(examples.filter(({ output }) => output.length === 0)).toEqual([]);
});

test.each(examples.map((example, at) => ({ ...example, at })))(
  "the example at $place prints what it says",
  async ({ at, output }) => {
    expect(await outputOf(paths[at] ?? "", opened.scene)).toEqual(output);
  },
);
