"""What tests share: made-up papers and stand-ins for services."""
