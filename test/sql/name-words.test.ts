import { expect, it } from "vitest";
import { nameWords, wordStem } from "../../sql/name-words.ts";

it.each([
  ["eye_colour_id", ["eye", "colour", "id"]],
  ["eyeColourID", ["eye", "colour", "id"]],
  ["CDSCode", ["cds", "code"]],
  ["T-shirt size (EU)", ["t", "shirt", "size", "eu"]],
  ["address2", ["address", "2"]],
  ["Größe", ["größe"]],
  ["__", []],
  ["\uD800x", ["x"]],
])("%s has the words %j", (name, words) => {
  expect(nameWords(name)).toEqual(words);
});

it.each([
  ["colours", "colour"],
  ["cities", "city"],
  ["boxes", "box"],
  ["houses", "house"],
  ["classes", "class"],
  ["movies", "movie"],
])("%s and %s have one stem", (plural, one) => {
  expect(wordStem(plural)).toBe(wordStem(one));
});

it.each(["status", "address", "bus", "id"])("%s is no plural", (word) => {
  expect(wordStem(word).slice(0, 3)).toBe(word.slice(0, 3));
  expect(wordStem(word)).not.toBe(wordStem(word.slice(0, -1)));
});
