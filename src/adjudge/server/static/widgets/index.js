// The widgets by the names that fields give them. Each is a function of a field and the screen it stands on:
//
//   element        what is put on the page
//   value()        the answer, null or partial where it is not whole
//   set(value)     show an answer (or a draft)
//   missing()      null, or what is missing: { text, focus() }
//   key(event)     whether a key that was pressed elsewhere on the page meant this widget
//   keys           what to press, for the help
//   candidates     true where the widget draws the translations itself
//   surface(side, segment)   a text that can be marked, where the widget has such

import { edit } from "./edit.js";
import { preference } from "./preference.js";
import { questions } from "./questions.js";
import { ranks } from "./ranks.js";
import { scale } from "./scale.js";
import { slider } from "./slider.js";
import { spans } from "./spans.js";
import { yesNo } from "./yes-no.js";

export const widgets = { edit, preference, questions, ranks, scale, slider, spans, "yes-no": yesNo };
