"""Questions as search reads them: what is asked, what is told, and what was pasted along."""
