/*
 * Shell.scala - an empty player of Even Steven, for you to fill in. (Your object must have the name of your file.)
 *
 * Team:
 * Strategy in one line:
 *
 * Read Steven.scala: it describes Card, the members of the game, and the helper routines. This shell plays the first card of
 * its hand, whatever was dealt. Write chooseCard, then try it:
 *
 *     printf '4 876390176\n4 653723903\n' | python3 kibitz.pyz dealer Shell.scala
 */
object Shell {
  /**
   * Return the card of your hand that you play on game.open: one of game.hand. If none of them covers it, the game is lost;
   * play one all the same. Not all games can be won.
   */
  def chooseCard(game: Steven): Steven.Card = game.hand.head

  def main(args: Array[String]): Unit = {
    val game = new Steven(args)
    while (game.nextCard()) {
      val card = chooseCard(game)
      game.debug(s"game ${game.number}: ${game.open} is dealt, I play $card")
      game.play(card)
    }
  }
}
