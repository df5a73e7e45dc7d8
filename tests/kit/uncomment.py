def without_comments(text):  # quoted marks begin none
    comment = False
    quoted = False
    kept = ""

    for char in text:
        if char == '#' and not quoted:
            comment = True
        elif char == '\n' and comment:
            comment = False
        elif (char == "'" or char == '"') and not comment:
            quoted = not quoted
        elif not comment:
            kept = kept + char

    # postcondition
    assert quoted or kept.count('#') <= text.count('"') + text.count("'")

    return kept
