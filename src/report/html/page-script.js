// What the page does beyond being read: its problems can be filtered, and its command copied.
(() => {
  const section = document.getElementById('problems');
  const filters = section?.querySelector('.filters');
  if (filters) filterProblems(section, filters);
  for (const button of document.querySelectorAll('.copy')) copyOn(button);

  /** The filters stand in the hash of the URL, so that a link leads to what somebody saw. */
  function filterProblems(section, filters) {
    const fields = [...filters.querySelectorAll('[name]')];
    const rows = [...section.querySelectorAll('tbody tr, li')];
    const groups = [...section.querySelectorAll('.problem')];

    function show() {
      const [kind, field, text] = fields.map(({ value }) => value);
      const needle = text.toLowerCase();
      for (const row of rows) {
        const fits =
          (kind === '' || row.dataset.kind === kind) &&
          (field === '' || row.dataset.field === field) &&
          row.textContent.toLowerCase().includes(needle);
        row.hidden = !fits;
      }
      for (const group of groups) group.hidden = !group.querySelector('li:not([hidden])');
      const count = rows.filter((row) => row.matches('tr:not([hidden])')).length;
      const examples = rows.filter((row) => row.matches('li:not([hidden])')).length;
      filters.querySelector('output').textContent =
        kind || field || text ? `${count} lines, ${examples} examples` : '';
    }

    function readHash() {
      const [, query = ''] = location.hash.split('#problems?');
      const known = new URLSearchParams(query);
      for (const field of fields) {
        field.value = known.get(field.name) ?? '';
        // What a list doesn't have leaves it empty.
        if (field.selectedIndex === -1) field.value = '';
      }
      show();
      if (query !== '') section.scrollIntoView();
    }

    function writeHash() {
      const given = fields.filter(({ value }) => value !== '');
      const query = new URLSearchParams(given.map(({ name, value }) => [name, value]));
      const hash = given.length === 0 ? '#problems' : `#problems?${query}`;
      history.replaceState(null, '', hash);
      show();
    }

    filters.hidden = false;
    filters.addEventListener('input', writeHash);
    filters.querySelector('.all').addEventListener('click', () => {
      for (const field of fields) field.value = '';
      writeHash();
    });
    addEventListener('hashchange', readHash);
    readHash();
  }

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
