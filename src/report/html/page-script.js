// What the page does beyond being read: its command can be copied.
(() => {
  for (const button of document.querySelectorAll('.copy')) copyOn(button);

  function copyOn(button) {
    const code = button.previousElementSibling;
    button.hidden = false;
    button.addEventListener('click', async () => {
      getSelection().selectAllChildren(code);
      try {
        await navigator.clipboard.writeText(code.textContent);
        button.textContent = 'Copied';
      } catch {
        // It is selected: the keyboard copies it.
        button.textContent = 'Selected';
      }
      setTimeout(() => {
        button.textContent = 'Copy';
      }, 1500);
    });
  }
})();
