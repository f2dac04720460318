"use strict";
// The sentence for a paper goes to the clipboard; where that is not allowed it is selected.
{
  const copy = document.getElementById("copy"), sentence = document.getElementById("sentence");
  if (copy) {
    copy.hidden = false;
    copy.addEventListener("click", async () => {
      const range = document.createRange();
      range.selectNodeContents(sentence);
      getSelection().removeAllRanges();
      getSelection().addRange(range);
      try { await navigator.clipboard.writeText(sentence.textContent); copy.textContent = "Copied"; } catch {
        copy.textContent = document.execCommand("copy") ? "Copied" : "Selected: copy it with the keyboard";
      }
    });
  }
}
