// SPDX-License-Identifier: MIT
// Finds sections that have all words of ?q=, by the list in search-index.js: [address, page, heading, excerpt, words].
'use strict';
(() => {
	const MOST = 40;
	const asked = new URLSearchParams(location.search).get('q') || '';
	// As search_words() of layout.py takes them from the pages.
	const words = (asked.toLowerCase().replace(/[\u00b5\u03bc]/g, 'u').match(/[\p{L}\p{M}\p{N}_]+\+*/gu) || [])
		.filter((word) => word.length > 1);
	const results = document.getElementById('results'), count = document.getElementById('count');

	// A word may be the beginning of the section's. In a heading it counts more, and most as the whole page's name.
	const points = (section, word) => {
		const [, page, heading, , text] = section;

		if (page.toLowerCase().replace(/\(\d\)$/, '') === word)
			return 100;
		// What a page of the manual describes.
		if (heading === 'NAME' && ` ${text} `.includes(` ${word} `))
			return 50;
		if (heading.toLowerCase().includes(word))
			return 20;
		return ` ${text}`.includes(` ${word}`) ? 1 : 0;
	};
	const score = (section) => {
		const each = words.map((word) => points(section, word));

		return each.includes(0) ? 0 : each.reduce((sum, one) => sum + one, 0);
	};
	const show = ([address, page, heading, excerpt]) => {
		const item = document.createElement('li'), link = document.createElement('a');
		const text = document.createElement('p');

		link.href = address;
		link.textContent = heading === page ? page : `${page}: ${heading}`;
		text.textContent = excerpt;
		item.append(link, text);
		results.append(item);
	};

	document.querySelector('input[name=q]').value = asked;
	const found = words.length ? SECTIONS.map((section) => [score(section), section]).filter(([points]) => points)
		.sort((a, b) => b[0] - a[0]) : [];

	found.slice(0, MOST).forEach(([, section]) => show(section));
	count.textContent = words.length ? `${found.length} sections have: ${words.join(' ')}` :
		'Ask by words of two letters or more.';
})();
