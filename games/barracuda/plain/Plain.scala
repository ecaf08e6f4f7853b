// Speaks the protocol of Barracuda without a kit, and knows the server by its name: plays its highest card, and rejects every
// challenge.

import java.io.{DataInputStream, DataOutputStream}
import java.net.Socket

object Plain {
  private val Request = """"request":"(\w+)","request_id":(\d+).*"hand":\[(\d+)""".r.unanchored

  def main(words: Array[String]): Unit = {
    val server = new Socket("cuda.contest", 19999)
    server.setTcpNoDelay(true)
    val input = new DataInputStream(server.getInputStream)
    val output = new DataOutputStream(server.getOutputStream)
    while (true) {
      val message = new Array[Byte](input.readInt())
      input.readFully(message)
      for (Request(request, number, card) <- List(new String(message, "US-ASCII"))) {
        val response = if (request == "request_card") s""""play_card","card":$card""" else "\"reject_challenge\""
        val body = s"""{"type":"move","request_id":$number,"response":{"type":$response}}"""
        output.writeInt(body.length)
        output.writeBytes(body)
        output.flush()
      }
    }
  }
}
