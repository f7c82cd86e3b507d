import { expect, test } from "vitest";
import { parseObject } from "#gateway/json.ts";

test("numbers are read without a float (F121)", () => {
  expect(parseObject('{"data":[{"amount":9007199254740993.10},1e3,-0]}')).toEqual({
    data: [{ amount: "9007199254740993.10" }, "1e3", "-0"],
  });
  for (const text of ['{"a":100.10}', '{ "a": 100.10 }', '{"a"\n:\t100.10}']) {
    expect(parseObject(text)).toEqual({ a: "100.10" });
  }
});

test.each([
  ['{"a":1}', { a: "1" }],
  ['{"a":-1}', { a: "-1" }],
  ['{"a":[7,-7,"x"]}', { a: ["7", "-7", "x"] }],
  ['{"a":"b:c","n":1}', { a: "b:c", n: "1" }],
  ['{"a":"1","b":[true,null]}', { a: "1", b: [true, null] }],
])("of %s every number is its own text", (text, object) => {
  expect(parseObject(text)).toEqual(object);
});

test("a name that stands in two objects is not repeated; a key inside a string is none", () => {
  for (const text of [
    '{"x":[{"a":1},{"a":2,"b":"\\"a\\":"}]}',
    '{"x:":"\\\\","y":{"x:":[]}}',
    "{}",
    ' { "a" : { } , "__proto__" : { "a" : 1 } } ',
  ]) {
    expect(parseObject(text)).not.toBeNull();
  }
});

test.each([
  '{"x":[{"a":1,"b":{"a":1}}],"x":1}',
  '{"x":[{"a":1,"b":{"a":1},"\\u0061":1}]}',
  '{"a":{"b":{"c":1}},"a":[]}',
  '{"__proto__":1,"__proto__":2}',
  '{"1":1,"1":1}',
  "[1]",
  "null",
  '"{}"',
  "1",
  "",
  '{"a":tru',
  '{"a":1} x',
])("%s is refused", (text) => {
  expect(parseObject(text)).toBeNull();
});
