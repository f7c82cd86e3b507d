/** Rules for comments that no linter knows. Each failure names the file and the line. */
import { expect, test } from "vitest";
import { codeFiles, readSource } from "./support/source-files.ts";

const code = codeFiles().map(readSource);

test("finds files to check", () => {
  expect(code.length).toBeGreaterThan(1_000);
});

test("comments are at most 100 columns wide, except for directives and tables", () => {
  const directive = /biome-ignore|oxlint-disable/;
  // Headings of the columns of a table.
  const tables = ["test/payout/decide.test.ts"];
  const wide = code
    .filter(({ path }) => !tables.includes(path))
    .flatMap(({ path, lines }) => {
      let isInBlock = false;
      return lines.flatMap((line, at) => {
        if (/^\s*\/\*/.test(line)) isInBlock = true;
        const isComment = isInBlock || /^\s*\/\//.test(line);
        if (line.includes("*/")) isInBlock = false;
        return line.length > 100 && isComment && !directive.test(line) ? [`${path}:${at + 1}`] : [];
      });
    });
  expect(wide).toEqual([]);
});

test("every exported function and class of the product has a docstring", () => {
  const product = /^(?:src|jobs|workers|simulator|scripts|bench|proof|dashboard\/src)\//;
  const declared =
    /^export (?:default )?(?:abstract class|class|(?:async )?function\*?|const) (\w+)/;
  const isFunction = /^export (?:const \w+(?:: [^=]+)? = (?:async )?(?:<.*>)?\(|(?!const))/;
  const bare = code
    .filter(({ path }) => product.test(path))
    .flatMap(({ path, lines }) =>
      lines.flatMap((line, at) => {
        const name = isFunction.test(line) ? declared.exec(line)?.[1] : undefined;
        if (name === undefined) return [];
        const above = lines.slice(0, at).findLast((text) => !/^\/\/|^export .*;$/.test(text));
        return above?.endsWith("*/") ? [] : [`${path}:${at + 1} ${name}`];
      }),
    );
  expect(bare).toEqual([]);
});
