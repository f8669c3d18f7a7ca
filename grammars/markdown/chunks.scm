(section . (atx_heading heading_content: (inline) @name)) @section
(section . (setext_heading heading_content: (paragraph) @name)) @section
