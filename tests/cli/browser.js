// SPDX-License-Identifier: MIT
// Finds what a reader of the page would stumble over, and logs each fault in a line of its own: tests/cli/browser.py
// appends it to the copy of a page that it renders. Folded parts are looked at too.
'use strict';
(() => {
	// CSS pixels on the screen; WCAG 2.2, 1.4.3.
	const SMALLEST = 10, CONTRAST = 4.5, CONTRAST_LARGE = 3;

	let faults = 0;
	const report = (kind, text) => {
		faults++;
		if (faults <= 20)
			console.log(`hpt-fault ${kind}: ${text.trim().replace(/\s+/g, ' ').slice(0, 60)}`);
	};

	const around = function* (element) {
		for (; element; element = element.parentElement)
			yield element;
	};

	// ---- Places ---------------------------------------------------------------------------------------------

	const common = (a, b) => ({
		left: Math.max(a.left, b.left), right: Math.min(a.right, b.right),
		top: Math.max(a.top, b.top), bottom: Math.min(a.bottom, b.bottom),
	});
	const is_empty = (r) => r.right - r.left <= 0.5 || r.bottom - r.top <= 0.5;
	const exceeds = (r, by) => r.left < by.left - 1 || r.right > by.right + 1;

	// The part that is seen without scrolling, and whether the rest can never be seen.
	const clip = (rect, element) => {
		let seen = rect, is_cut = false, scrolls = false;

		for (const a of around(element)) {
			const overflow = getComputedStyle(a).overflowX;

			if (overflow === 'visible' && !(a instanceof SVGSVGElement))
				continue;
			const box = a.getBoundingClientRect();

			if (overflow === 'auto' || overflow === 'scroll')
				scrolls = true;
			else if (!scrolls && (exceeds(rect, box) ||
					rect.bottom > box.bottom + 1 || rect.top < box.top - 1))
				is_cut = true;
			seen = common(seen, box);
		}
		if (!scrolls && exceeds(rect, { left: 0, right: innerWidth }))
			is_cut = true;
		return { seen, is_cut };
	};

	// ---- Colours --------------------------------------------------------------------------------------------

	const parse = (colour) => {
		const [r, g, b, a = 1] = (colour.match(/[\d.]+/g) || [0, 0, 0, 0]).map(Number);

		return { r, g, b, a };
	};
	const over = (front, back) => ({
		r: front.r * front.a + back.r * (1 - front.a), g: front.g * front.a + back.g * (1 - front.a),
		b: front.b * front.a + back.b * (1 - front.a), a: 1,
	});
	const background = (element) => {
		const layers = [];

		for (const a of around(element)) {
			layers.push(parse(getComputedStyle(a).backgroundColor));
			if (layers[layers.length - 1].a === 1)
				break;
		}
		return layers.reduceRight((back, front) => over(front, back), { r: 255, g: 255, b: 255, a: 1 });
	};
	const luminance = (c) => {
		const [r, g, b] = [c.r, c.g, c.b].map((v) => {
			v /= 255;
			return v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4;
		});

		return 0.2126 * r + 0.7152 * g + 0.0722 * b;
	};
	const contrast = (a, b) => {
		const [dark, light] = [luminance(a), luminance(b)].sort((x, y) => x - y);

		return (light + 0.05) / (dark + 0.05);
	};

	// ---- Texts ----------------------------------------------------------------------------------------------

	const check_style = (element, style, text) => {
		const scale = element instanceof SVGElement ? element.getScreenCTM().a : 1;
		const size = parseFloat(style.fontSize) * scale, is_bold = Number(style.fontWeight) >= 700;
		const is_large = size >= 24 || (is_bold && size >= 18.66);
		const back = background(element);
		const front = over(parse(element instanceof SVGElement ? style.fill : style.color), back);

		if (size < SMALLEST)
			report('small', `${size.toFixed(1)} px, ${text}`);
		if (contrast(front, back) < (is_large ? CONTRAST_LARGE : CONTRAST))
			report('contrast', `${contrast(front, back).toFixed(1)}, ${text}`);
	};

	// The lines of all texts that are seen. A line's box is higher than its letters.
	const gather = () => {
		const lines = [], walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);

		while (walker.nextNode()) {
			const node = walker.currentNode, element = node.parentElement, range = document.createRange();

			if (!node.data.trim() || !element.checkVisibility() ||
					/^(script|style|title)$/i.test(element.tagName))
				continue;
			range.selectNodeContents(node);
			check_style(element, getComputedStyle(element), node.data);
			for (const r of range.getClientRects()) {
				const rim = (r.bottom - r.top) * 0.2;
				const { seen, is_cut } = clip(r, element);

				if (is_cut)
					report('cut off', node.data);
				lines.push({ node, left: seen.left + 0.5, right: seen.right - 0.5,
					     top: seen.top + rim, bottom: seen.bottom - rim });
			}
		}
		return lines.filter((r) => !is_empty(r)).sort((a, b) => a.top - b.top);
	};

	const check_overlaps = (lines) => {
		lines.forEach((a, i) => {
			for (let k = i + 1; k < lines.length && lines[k].top < a.bottom; k++)
				if (lines[k].node !== a.node && !is_empty(common(a, lines[k])))
					report('overlap', `${a.node.data.trim()} | ${lines[k].node.data}`);
		});
	};

	const folds = [...document.querySelectorAll('details:not([open])')];

	folds.forEach((fold) => { fold.open = true; });
	const lines = gather();

	check_overlaps(lines);
	if (document.documentElement.scrollWidth > innerWidth + 1)
		report('too wide', `${document.documentElement.scrollWidth} px in ${innerWidth}`);
	document.querySelectorAll('th').forEach((th) => th.textContent.trim() || report('empty heading', th.outerHTML));
	folds.forEach((fold) => { fold.open = false; });
	console.log(`hpt-checked ${lines.length} lines in ${innerWidth} px, ${faults} faults`);
})();
