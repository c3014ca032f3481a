"""Prints documents with programs that are packages of Python: print.py <program> <folder>.

For ReportLab the folder holds made documents (<name>.json), for WeasyPrint <name>.html, for Typst <name>.typ.
FONT_FOLDER holds further fonts.
"""

import glob
import json
import os
import sys
from xml.sax.saxutils import escape

FONTS = os.environ.get("FONT_FOLDER", "")
DEJAVU = "/usr/share/fonts/truetype/dejavu"


def with_weasyprint(source, target):
    from weasyprint import HTML

    HTML(source).write_pdf(target)


def with_typst(source, target):
    import typst

    typst.compile(source, output=target, font_paths=[FONTS, DEJAVU] if FONTS else [DEJAVU])


def with_reportlab(source, target):
    from reportlab.lib import colors
    from reportlab.lib.enums import TA_JUSTIFY, TA_LEFT
    from reportlab.lib.pagesizes import A4
    from reportlab.lib.styles import ParagraphStyle
    from reportlab.pdfbase import pdfmetrics
    from reportlab.pdfbase.ttfonts import TTFont
    from reportlab.platypus import BalancedColumns, ListFlowable, Paragraph, Preformatted, SimpleDocTemplate, Spacer, Table

    document = json.load(open(source))
    look = document["look"]
    if "Plain" not in pdfmetrics.getRegisteredFontNames():
        for name, file in {"Plain": "DejaVuSans", "Plain-Bold": "DejaVuSans-Bold", "Mono": "DejaVuSansMono", "Roman": "DejaVuSerif", "Roman-Bold": "DejaVuSerif-Bold"}.items():
            pdfmetrics.registerFont(TTFont(name, f"{DEJAVU}/{file}.ttf"))
        for name in ("Plain", "Roman"):
            pdfmetrics.registerFontFamily(name, normal=name, bold=f"{name}-Bold", italic=name, boldItalic=f"{name}-Bold")
    font = "Roman" if look["hasSerifs"] else "Plain"
    points = look["points"]
    align = TA_JUSTIFY if look["isJustified"] else TA_LEFT
    line = ParagraphStyle("line", fontName=font, fontSize=points, leading=points * 1.3)
    text = ParagraphStyle("text", parent=line, alignment=align, firstLineIndent=14 if look["isIndented"] else 0, spaceAfter=0 if look["isIndented"] else 6)
    title = ParagraphStyle("title", parent=line, fontName=f"{font}-Bold", fontSize=points * 1.8, leading=points * 2.3, spaceAfter=8)
    size = points * (1.45 if look["headings"] == "large" else 1.12)
    bold = font if look["headings"] == "large" else f"{font}-Bold"
    head = ParagraphStyle("head", parent=line, fontName=bold, fontSize=size, leading=size * 1.25, spaceBefore=9, spaceAfter=3, keepWithNext=1)

    def table(block, width):
        rows = [block["head"], *block["rows"]]
        style = [("FONT", (0, 0), (-1, -1), font, points), ("FONT", (0, 0), (-1, 0), f"{font}-Bold", points), ("VALIGN", (0, 0), (-1, -1), "TOP")]
        if look["rules"] == "all":
            style.append(("GRID", (0, 0), (-1, -1), 0.5, colors.black))
        if look["rules"] == "rows":
            style.append(("LINEBELOW", (0, 0), (-1, -1), 0.5, colors.grey))
        if look["rules"] == "head":
            style += [("LINEABOVE", (0, 0), (-1, 0), 1, colors.black), ("LINEBELOW", (0, 0), (-1, 0), 0.6, colors.black)]
        for at in range(len(rows[0])):
            if all(row[at].replace(".", "").isdigit() for row in rows[1:]):
                style.append(("ALIGN", (at, 0), (at, -1), "RIGHT"))
        return Table(rows, style=style, hAlign="LEFT", spaceBefore=6, spaceAfter=8)

    def entry(one):
        indent = 16 if one["level"] > 1 else 0
        room = 470 - indent
        dot = pdfmetrics.stringWidth(".", font, points)
        used = pdfmetrics.stringWidth(f"{one['text']}  {one['page']}", font, points)
        leader = "." * max(2, int((room - used) / dot)) if look["leaders"] == "dots" else ""
        style = [("FONT", (0, 0), (-1, -1), font, points), ("ALIGN", (1, 0), (1, 0), "RIGHT"), ("PADDING", (0, 0), (-1, -1), 0)]
        left = f"{one['text']} {leader}" if leader else one["text"]
        wide = pdfmetrics.stringWidth(one["page"], font, points) + 4
        return Table([[left, one["page"]]], colWidths=[room - wide, wide], style=[*style, ("LEFTPADDING", (0, 0), (0, 0), indent)], hAlign="LEFT")

    def flowables(block, width):
        kind = block["kind"]
        if kind == "heading":
            return [Paragraph(escape(block["text"]), title if block["level"] == 1 else head)]
        if kind == "paragraph":
            return [Paragraph(escape(block["text"]), text)]
        if kind == "items":
            items = [Paragraph(escape(item), line) for item in block["items"]]
            return [ListFlowable(items, bulletType="1" if block["isNumbered"] else "bullet", bulletFontName=font, bulletFontSize=points, bulletFormat="%s." if block["isNumbered"] else None)]
        if kind == "lines":
            return [Paragraph(escape(one), line) for one in block["lines"]]
        if kind == "table":
            return [table(block, width)]
        if kind == "pairs":
            name = f"{font}-Bold" if look["headings"] == "bold" else font
            label = ParagraphStyle("label", parent=line, fontName=name)
            wide = max(pdfmetrics.stringWidth(one, name, points) for one, _ in block["pairs"]) + 13
            rows = [[Paragraph(escape(one), label), Paragraph(escape(value), line)] for one, value in block["pairs"]]
            return [Table(rows, colWidths=[wide, width - wide - 12], hAlign="LEFT", style=[("VALIGN", (0, 0), (-1, -1), "TOP")])]
        if kind == "entries":
            return [entry(one) for one in block["entries"]]
        if kind == "code":
            return [Preformatted("\n".join(block["lines"]), ParagraphStyle("code", fontName="Mono", fontSize=points * 0.85, leading=points * 1.1, spaceBefore=6, spaceAfter=6))]
        if kind == "boxes":
            return [Paragraph(f'<font name="Plain">{"☒" if one["isChecked"] else "☐"}</font> ' + escape(one["label"]), line) for one in block["boxes"]]
        if kind == "flow":
            inner = [made for one in block["blocks"] for made in flowables(one, width / block["count"])]
            return [BalancedColumns(inner, nCols=block["count"], innerPadding=look["gapPoints"])]
        cells = [[made for one in column for made in flowables(one, width / len(block["columns"]))] for column in block["columns"]]
        return [Table([cells], colWidths=[width / len(cells)] * len(cells), style=[("VALIGN", (0, 0), (-1, -1), "TOP"), ("LEFTPADDING", (0, 0), (-1, -1), 0)])]

    story = [made for block in document["blocks"] for made in flowables(block, 480)]
    SimpleDocTemplate(target, pagesize=A4, leftMargin=57, rightMargin=57, topMargin=57, bottomMargin=57).build(story + [Spacer(1, 1)])


PROGRAMS = {"weasyprint": (with_weasyprint, "html"), "typst": (with_typst, "typ"), "reportlab": (with_reportlab, "json")}

if __name__ == "__main__":
    program, folder = sys.argv[1:]
    draw, ending = PROGRAMS[program]
    for source in sorted(glob.glob(f"{folder}/*.{ending}")):
        try:
            draw(source, source[: -len(ending)] + "pdf")
        except Exception as error:
            print(f"{program} {os.path.basename(source)}: {error}", file=sys.stderr)
