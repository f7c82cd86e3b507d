import { expect, test } from "vitest";
import { isChanged, textFormatOf } from "#intake/workbook/text-formats.ts";

// biome-ignore format: the columns are the point
test.each([
  ["@",                            true,  ""],
  ["General",                      true,  ""],
  ["",                             true,  ""],
  ["0.00",                         true,  ""],
  ["0;-0;0",                       true,  ""],
  ["0;-0;;@",                      true,  ""],
  ["0;0;0; general ",              true,  ""],
  ["_-* 0_-;-* 0_-;_-* \"-\"??_-;_-@_-", true, ""],
  ["d/m/yyyy;@",                   true,  ""],
  ['"a"0',                         true,  ""],
  ["[Red]@",                       true,  ""],
  ["[$-409]@",                     true,  ""],
  ['"("@")"',                      true,  ""],
  ["@* ",                          true,  ""],
  ["_A@_B",                        true,  ""],
  ['@"99"',                        true,  "99"],
  ['"U-"@',                        true,  "U"],
  ["@\\9",                         true,  "9"],
  ["@!9",                          true,  "9"],
  ["@*0",                          true,  "0"],
  ["[$kr-406]@",                   true,  "kr"],
  ["[$€-407]@",                    true,  "€"],
  ['"EUR "@" net"',                true,  "EURnet"],
  ['"a;@"@',                       true,  "a"],
  ["0;0;0;  General  ",            true,  ""],
  ["0;0;0;a general",              false, "ageneral"],
  ["0;0;0;generally",              false, "generally"],
  ['@"9',                          true,  "9"],
  ['@"a;@',                        true,  "a"],
  ["0;0;0;General\\",              true,  ""],
  ["0;0;0;General_",               true,  ""],
  ["0;0;0;General*",               true,  ""],
  ["[$kr]@",                       true,  "kr"],
  ["@@",                           false, ""],
  [";;;",                          false, ""],
  ['0;0;0;"gone"',                 false, "gone"],
  ['0;0;0;"@"',                    false, ""],
])("shows a text in %j as %s, with %j", (code, isShown, own) => {
  expect(textFormatOf(code)).toMatchObject({ isShown, own });
});

test.each([
  ["@", []],
  ['"EUR" @', ["EUR"]],
  ["[$€-407] @", ["€"]],
  ["€ @", ["€"]],
  ['"R$ "@', ["R$"]],
  ['@" INR or USD"', ["INR", "USD"]],
  ['"EUR" 0.00;;;@', []],
  ['0;0;0;"to "@', []],
] as const)("shows a text in %s with the signs %j", (code, signs) => {
  expect(textFormatOf(code).signs).toEqual(signs);
});

test.each([
  [true, "", false],
  [true, "9", true],
  [false, "", true],
])("detects a text %s changed by %j: %s", (isShown, own, is) => {
  expect(isChanged({ isShown, own })).toBe(is);
});
