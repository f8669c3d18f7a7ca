"""A workspace that sends a weekly digest, among much that has nothing to do with it."""

from __future__ import annotations

from contextls.model import Context

TOPICS = ("invoice", "parcel", "garden", "ticket", "boiler", "mirror", "carpet", "violin", "anchor", "pepper")
FILES = {
    "mail/digest.py": """from mail.slots import pick


def send_digest(reader, letters):
    \"\"\"Send the weekly digest to a reader.\"\"\"
    when = pick(reader)
    return [(when, letter) for letter in letters]
""",
    "mail/slots.py": """def pick(person):
    \"\"\"The first free hour for it to be sent.\"\"\"
    return min(hour for hour in range(24) if hour not in person.busy)
""",
    **{
        f"things/{topic}.py": f"def polish_{topic}(count):\n    return [count * {number} for _ in range(count)]\n"
        for number, topic in enumerate(TOPICS)
    },
}


def paths(context: Context) -> list[str]:
    return [one.path or "" for one in context.components]
